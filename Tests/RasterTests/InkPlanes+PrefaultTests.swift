import Ink
import Testing

@testable import Raster

@Suite struct InkPlanesPrefaultTests {
  let scale = Scale(x: 1, y: 1)

  @Test func `memory near the tail is prefaulted once, in a range that grows with the tail`() {
    var planes = InkPlanes(width: 400, height: 300)
    #expect(planes.prefault() == .empty)
    _ = planes.addTail(box(100, 100, 110, 104), scale: scale)
    #expect(planes.prefault() == PixelRect(79, 78, 132, 125))
    #expect(planes.prefault() == .empty)
    planes.clearTail()
    _ = planes.addTail(box(100, 100, 160, 104), scale: scale)
    #expect(planes.prefault() == PixelRect(54, 53, 207, 150))
  }

  @Test func `nothing beyond the pad is prefaulted, and released memory is prefaulted anew`() {
    var planes = InkPlanes(width: 400, height: 300)
    _ = planes.addTail(box(0, 290, 10, 300), scale: scale)
    let corner = PixelRect(0, 268, 32, 300)
    #expect(planes.prefault() == corner)
    planes.clear()
    planes.releaseMemory()
    _ = planes.addTail(box(0, 290, 10, 300), scale: scale)
    #expect(planes.prefault() == corner)
  }

  @Test func `ink in each layer stays when its memory is prefaulted`() {
    var planes = InkPlanes(width: 96, height: 96)
    // Whole tiles, with their first pixels.
    _ = planes.addFinalised(box(0, 0, 64, 64), scale: scale)
    _ = planes.endStroke()
    _ = planes.addFinalised(box(0, 0, 32, 96), scale: scale)
    _ = planes.addTail(box(0, 0, 96, 32), scale: scale)
    func coverage(_ planes: borrowing InkPlanes) -> [UInt8] {
      (0..<96 * 96).map { planes[$0 % 96, $0 / 96] }
    }
    let before = coverage(planes)
    let prefaulted = planes.prefault()
    #expect(!prefaulted.isEmpty && coverage(planes) == before && before[0] == 255)
  }
}
