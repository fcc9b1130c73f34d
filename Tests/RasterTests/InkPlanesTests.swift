import Ink
import Testing

@testable import Raster

@Suite struct InkPlanesTests {
  let scale = Scale(x: 1, y: 1)

  func box(_ x0: Float, _ y0: Float, _ x1: Float, _ y1: Float) -> Path {
    var path = Path()
    path.move(to: Point(x0, y0))
    path.line(to: Point(x1, y0))
    path.line(to: Point(x1, y1))
    path.line(to: Point(x0, y1))
    return path
  }

  @Test func `a pixel is covered by the area that lies in it`() {
    var planes = InkPlanes(width: 100, height: 80)
    let rect = planes.settle(box(10.25, 20.5, 40, 50), scale: scale)
    #expect(rect == PixelRect(10, 20, 41, 51))
    #expect(planes[9, 30] == 0)
    #expect(planes[10, 30] == 191)
    #expect(planes[11, 20] == 128)
    #expect(planes[10, 20] == 96)
    #expect(planes[39, 49] == 255)
    #expect(planes[40, 49] == 0)
  }

  @Test func `a shared edge closes without a seam`() {
    var planes = InkPlanes(width: 100, height: 80)
    _ = planes.settle(box(10, 10, 30.3, 30), scale: scale)
    _ = planes.settle(box(30.3, 10, 60, 30), scale: scale)
    #expect(planes[30, 20] == 255)
  }

  @Test func `a new stroke lies over an earlier one`() {
    var planes = InkPlanes(width: 100, height: 80)
    _ = planes.settle(box(10, 10, 20.5, 30), scale: scale)
    planes.endStroke()
    _ = planes.settle(box(10, 10, 20.5, 30), scale: scale)
    #expect(planes[20, 20] == 192)
    #expect(planes[19, 20] == 255)
  }

  @Test func `taking the tail away leaves no trace`() {
    var planes = InkPlanes(width: 100, height: 80)
    _ = planes.settle(box(10, 10, 20.5, 30), scale: scale)
    planes.endStroke()
    let whole = PixelRect(width: 100, height: 80)
    let before = planes.coverage(of: whole)
    let tail = planes.addTail(box(15.5, 15, 70, 20.25), scale: scale)
    #expect(planes.coverage(of: whole) != before)
    #expect(planes.clearTail() == tail)
    #expect(planes.coverage(of: whole) == before)
  }

  @Test func `clearing leaves an empty pad`() {
    var planes = InkPlanes(width: 100, height: 80)
    _ = planes.settle(box(-10, 10, 20.5, 300), scale: scale)
    #expect(planes.clear() == PixelRect(0, 10, 21, 80))
    #expect(planes.coverage(of: PixelRect(width: 100, height: 80)).allSatisfy { $0 == 0 })
    #expect(planes.bounds.isEmpty)
  }
}
