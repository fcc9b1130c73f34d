import Ink
import Linux
import Testing
import Touch

@Suite struct ContactRingTests {
  func contact(_ number: Int) -> GlassContact {
    GlassContact(.move, Sample(time: Int64(number), position: Point(Float(number % 1000), 1)))
  }

  @Test func `events leave the ring in their order`() throws {
    let ring = try ContactRing(capacityLog2: 3)
    for number in 0..<100 {
      for part in 0..<5 { #expect(ring.push(contact(number * 5 + part))) }
      for part in 0..<5 { #expect(ring.pop() == contact(number * 5 + part)) }
      #expect(ring.pop() == nil)
    }
    #expect(ring.drainLost() == 0)
  }

  @Test func `a reader is woken once for what was written before it reads`() throws {
    let ring = try ContactRing(capacityLog2: 2)
    func isWoken() throws -> Bool {
      var poll = Poll()
      let place = poll.add(ring.number)
      try poll.wait(milliseconds: 0)
      return poll.isReadable(place)
    }
    #expect(try !isWoken())
    ring.push(contact(1))
    ring.wake()
    #expect(try isWoken())
    ring.beginReading()
    #expect(try !isWoken())
  }

  @Test func `a full ring drops, counts, and marks the gap once`() throws {
    let ring = try ContactRing(capacityLog2: 2)
    for number in 0..<7 { #expect(ring.push(contact(number)) == (number < 4)) }
    for _ in 0..<4 { #expect(ring.pop()?.isAfterGap == false) }
    ring.push(contact(8))
    ring.push(contact(9))
    #expect(ring.pop()?.isAfterGap == true)
    #expect(ring.pop()?.isAfterGap == false)
    #expect(ring.drainLost() == 3)
    #expect(ring.drainLost() == 0)
  }

  @Test func `the ends of contacts find room where reports do not`() throws {
    let ring = try ContactRing(capacityLog2: 4)
    for number in 0..<20 { #expect(ring.push(contact(number)) == (number < 14)) }
    #expect(ring.push(GlassContact(.up, Sample(time: 20, position: .zero))))
    #expect(ring.push(GlassContact(.cancel, Sample(time: 21, position: .zero))))
    #expect(!ring.push(GlassContact(.up, Sample(time: 22, position: .zero))))
    for _ in 0..<14 { #expect(ring.pop()?.phase == .move) }
    #expect(ring.pop()?.isAfterGap == true)
    #expect(ring.pop()?.phase == .cancel)
    #expect(ring.drainLost() == 7)
  }

  @Test func `two threads neither lose nor reorder an accepted event`() throws {
    let ring = try ContactRing(capacityLog2: 6)
    let total = 200_000
    let producer = try Thread(name: "producer") {
      for number in 0..<total {
        while !ring.push(GlassContact(.move, Sample(time: Int64(number), position: .zero))) {}
        ring.wake()
      }
    }
    var poll = Poll()
    poll.add(ring.number)
    var next: Int64 = 0
    while next < total {
      try poll.wait()
      ring.beginReading()
      while let contact = ring.pop() {
        #expect(contact.sample.time == next)
        next += 1
      }
    }
    producer.join()
  }
}
