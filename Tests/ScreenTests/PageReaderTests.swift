import Ink
import SyntheticHand
import Testing

@testable import Screen

@Suite struct PageReaderTests {
  func reader(_ heights: [Float] = [50, 200, 50], rightToLeft: Bool = false) -> PageReader {
    var reader = PageReader(heights: heights, area: 60, rightToLeft: rightToLeft, at: 0)
    reader.setVisible(true, at: 0)
    return reader
  }

  func drag(_ reader: inout PageReader, from: Point, to: Point, at time: Int64 = 0) {
    reader.down(Sample(time: time, position: from))
    for step in 1...10 {
      let place = from + (to - from) * (Float(step) / 10)
      reader.move(Sample(time: time, position: place))
    }
    reader.up(at: time)
  }

  @Test func `pages are turned forward and back, and not beyond the ends`() {
    var reader = reader()
    reader.previous(at: 0)
    #expect(reader.page == 0 && !reader.hasPrevious && reader.hasNext)
    for page in [1, 2, 2] {
      reader.next(at: 0)
      #expect(reader.page == page)
    }
    #expect(!reader.hasNext)
    reader.previous(at: 0)
    #expect(reader.page == 1)
  }

  @Test(arguments: [false, true]) func `a swipe turns the page in the direction of the text`(
    _ rightToLeft: Bool
  ) {
    var reader = reader(rightToLeft: rightToLeft)
    let (left, right) = (Point(20, 30), Point(60, 33))
    drag(&reader, from: rightToLeft ? left : right, to: rightToLeft ? right : left)
    #expect(reader.page == 1)
    drag(&reader, from: rightToLeft ? right : left, to: rightToLeft ? left : right)
    #expect(reader.page == 0)
    // Too short, and not begun.
    drag(&reader, from: right, to: right - Point(14, 0))
    drag(&reader, from: left, to: left + Point(14, 0))
    reader.up(at: 0)
    #expect(reader.page == 0)
  }

  @Test func `a high page is scrolled with the finger, and a swipe does not scroll`() {
    var reader = reader()
    drag(&reader, from: Point(40, 50), to: Point(40, 10))
    #expect(reader.offset == 0, "the first page fits")
    reader.next(at: 0)
    reader.setVisible(true, at: 0)
    drag(&reader, from: Point(40, 50), to: Point(42, 10))
    // The first 4 mm decide the direction.
    #expect(abs(reader.offset - 36) < 0.01 && reader.page == 1)
    drag(&reader, from: Point(40, 10), to: Point(40, 100))
    #expect(reader.offset == 0)
    for _ in 0..<5 { drag(&reader, from: Point(40, 55), to: Point(40, 5)) }
    #expect(reader.offset == 140 && reader.reach == 140)
    drag(&reader, from: Point(60, 30), to: Point(20, 50))
    #expect(reader.page == 2 && reader.offset == 0)
  }

  @Test func `the end is reached when the end of the last page was on the glass`() {
    var short = reader()
    #expect(!short.hasReachedEnd)
    short.next(at: 0)
    short.setVisible(true, at: 0)
    #expect(!short.hasReachedEnd)
    short.next(at: 0)
    short.setVisible(true, at: 0)
    #expect(short.hasReachedEnd)
    short.previous(at: 0)
    short.setVisible(true, at: 0)
    #expect(short.hasReachedEnd)
    var high = reader([50, 200])
    high.next(at: 0)
    high.setVisible(true, at: 0)
    #expect(!high.hasReachedEnd)
    for _ in 0..<5 { drag(&high, from: Point(40, 55), to: Point(40, 5)) }
    #expect(high.hasReachedEnd)
    #expect(reader([40]).hasReachedEnd)
  }

  @Test func `the time of each page counts while it is visible`() {
    var reader = reader()
    reader.next(at: 5)
    reader.setVisible(true, at: 5)
    reader.setVisible(false, at: 9)
    reader.next(at: 20)
    reader.setVisible(true, at: 30)
    reader.previous(at: 33)
    reader.setVisible(true, at: 33)
    reader.time(40)
    reader.time(39)
    let times: [Int64] = [5, 4 + 7, 3]
    #expect(reader.times == times)
  }

  @Test func `a page that was turned to is hidden until it is painted`() {
    var reader = reader([40, 40])
    reader.next(at: 3)
    #expect(!reader.hasReachedEnd)
    reader.setVisible(true, at: 10)
    reader.time(12)
    #expect(reader.hasReachedEnd && reader.times == [3, 2])
  }

  @Test func `what is not visible is not read`() {
    var reader = reader([40, 40])
    reader.setVisible(false, at: 0)
    reader.next(at: 0)
    #expect(!reader.hasReachedEnd)
    reader.setVisible(true, at: 1)
    #expect(reader.hasReachedEnd)
  }

  @Test(arguments: 1...60) func `no gesture leaves the document, and no time is lost`(
    _ seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    let heights = (0..<Int.random(in: 1...50, using: &random)).map { _ in
      Float.random(in: 1...400, using: &random)
    }
    var reader = PageReader(
      heights: heights, area: 60, rightToLeft: .random(using: &random), at: 0)
    reader.setVisible(true, at: 0)
    var now: Int64 = 0
    for _ in 0..<400 {
      now += Int64.random(in: 0...20_000_000, using: &random)
      let place = Point(
        Float.random(in: -50...250, using: &random), Float.random(in: -50...250, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: reader.next(at: now)
      case 1: reader.previous(at: now)
      case 2: reader.down(Sample(time: now, position: place))
      case 3: reader.up(at: now)
      case 4: reader.cancel()
      default: reader.move(Sample(time: now, position: place))
      }
      reader.setVisible(true, at: now)
      #expect(heights.indices.contains(reader.page), "seed \(seed)")
      #expect((0...reader.reach).contains(reader.offset), "seed \(seed)")
      #expect(reader.reach == max(0, heights[reader.page] - 60), "seed \(seed)")
    }
    reader.time(now)
    #expect(reader.times.reduce(0, +) == now, "seed \(seed)")
  }
}
