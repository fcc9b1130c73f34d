import AllocationCount
import Ink
import Linux
import Raster
import Screen
import Signature
import SyntheticHand
import Testing
import Touch

@testable import Pad

/// The journal costs the render thread only space in a ring.
@Suite(.serialized) struct AllocationTests {
  @Test func `ten thousand samples through session, ink and journal allocate nothing`() throws {
    let ink = try ContactRing(capacityLog2: 15)
    var glass = PadModel(
      width: 800, height: 480, scale: Scale(x: 6, y: 6), model: .standard, theme: Theme(),
      minimumLength: 5
    ) { ink.push($0) }
    let contacts = (0..<40).flatMap { stroke in
      (0..<250).map { index in
        let time = Int64(stroke * 1000 + index) * 4_000_000
        let place = Point(10 + 0.4 * Float(index), 20 + 0.5 * Float(stroke % 10))
        return GlassContact(
          index == 0 ? .down : index == 249 ? .up : .move, Sample(time: time, position: place))
      }
    }
    // What happens once: without optimisation the runtime looks up types when they are first used.
    for index in 0..<500 { Self.take(contacts[index], &glass) }
    var allocated = 0
    for index in 500..<contacts.count {
      let before = allocation_count()
      Self.take(contacts[index], &glass)
      // A stroke may ask for memory when it begins, to see which button it is not on.
      if contacts[index].phase != .down { allocated += allocation_count() - before }
    }
    #expect(allocated == 0)
    var noted = 0
    while ink.pop() != nil { noted += 1 }
    #expect(noted == 10_000)
    #expect(ink.drainLost() == 0)
  }

  private static func take(_ contact: GlassContact, _ glass: inout PadModel) {
    _ = glass.take(contact)
    _ = glass.compose()
  }
}
