import AllocationCount
import Ink
import Testing

@testable import Raster
@testable import Signature

@Suite(.serialized) struct InkedRectTests {
  private func planes(_ width: Int, _ height: Int) -> InkPlanes {
    var planes = InkPlanes(width: width, height: height)
    var path = Path()
    // Ink, and a control point beyond it.
    path.move(to: Point(30, 40))
    path.cubic(Point(500, 10), Point(500, 400), to: Point(30, 300))
    _ = planes.addFinalised(path, scale: Scale(x: 1, y: 1))
    return planes
  }

  @Test func `it is the smallest rectangle around the ink`() {
    let planes = planes(600, 400)
    var expected = PixelRect.empty
    for y in 0..<400 {
      for x in 0..<600 where planes[x, y] > 0 {
        let (x, y) = (Int32(x), Int32(y))
        expected = expected.union(PixelRect(x, y, x + 1, y + 1))
      }
    }
    let (found, bounds) = (planes.inkedRect(), planes.bounds)
    #expect(found == expected && found != bounds)
    let none = InkPlanes(width: 10, height: 10).inkedRect()
    #expect(none.isEmpty)
  }

  @Test(.enabled(if: allocation_is_counted(), "the sanitizer has its own allocator"))
  func `it allocates a row, not the picture`() {
    let planes = planes(600, 400)
    let before = large_allocation_count()
    let rect = planes.inkedRect()
    #expect(large_allocation_count() == before)
    #expect(rect.width * rect.height > 1 << 16)
  }

  @Test(.enabled(if: allocation_is_counted(), "the sanitizer has its own allocator"))
  func `a picture is held once while it is made`() throws {
    let samples = (0..<20).map {
      Sample(time: Int64($0) * 8_000_000, position: Point(Float($0) * 6, Float($0) * 5))
    }
    for margin in [0, 3] as [Float] {
      func draw() throws -> InkPicture {
        try InkPicture(
          of: [Stroke(samples)], by: .polyline, scale: Scale(x: 5, y: 5),
          frame: .ink(margin: margin))
      }
      let picture = try draw()
      #expect(picture.coverage.count > 1 << 16)
      let start = large_allocation_count()
      let layers = InkPlanes(width: picture.width, height: picture.height).bounds
      let middle = large_allocation_count()
      #expect(try draw() == picture && layers.isEmpty)
      #expect(large_allocation_count() - middle == middle - start + 1, "margin \(margin)")
    }
  }
}
