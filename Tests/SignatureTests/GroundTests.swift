import Ink
import Raster
import Signature
import SyntheticHand
import Testing

@Suite struct GroundTests {
  let word = SyntheticHand().paraph(at: Point(15, 55), height: 9).map { Stroke($0) }
  let scale = Scale(x: 4, y: 4)

  private func earlier() throws -> InkPicture {
    try InkPicture(
      of: Array(word.prefix(1)), by: .polyline, scale: scale, frame: .ink(margin: 2))
  }

  private func sheet() -> DrawingModel {
    DrawingModel(.polyline, width: 600, height: 340, scale: scale, capacity: 3000)
  }

  @Test func `a sheet that starts from a picture shows it where it was`() throws {
    var fresh = sheet()
    fresh.draw(word[0])
    var model = sheet()
    let damage = model.start(on: try earlier())
    #expect(model.picture() == fresh.picture())
    #expect(!damage.isEmpty)
    fresh.draw(word[1])
    model.draw(word[1])
    #expect(model.picture() == fresh.picture())
    let count = model.store.count
    #expect(count == 1)
  }

  @Test func `undo keeps the ground, and wiping takes it away`() throws {
    var model = sheet()
    _ = model.start(on: try earlier())
    let before = model.picture()
    model.draw(word[1])
    _ = model.undo()
    #expect(model.picture() == before)
    _ = model.wipe()
    #expect(model.picture() == sheet().picture())
  }

  @Test func `another density takes the ground along`() throws {
    var model = sheet()
    _ = model.start(on: try earlier())
    let before = model.picture().coverage.reduce(0) { $0 + Int($1) }
    model.redraw(width: 1200, height: 680, scale: Scale(x: 8, y: 8))
    let after = model.picture().coverage.reduce(0) { $0 + Int($1) }
    #expect(abs(Double(after) / Double(before) - 4) < 0.001)
    model.redraw(width: 300, height: 170, scale: Scale(x: 2, y: 2))
    let small = model.picture().coverage.reduce(0) { $0 + Int($1) }
    #expect(abs(Double(small) / Double(before) - 0.25) < 0.01)
  }

  @Test func `the saved picture has the ground under the strokes, trimmed around both`() throws {
    let both = try InkPicture(
      of: [word[1]], by: .polyline, scale: scale, frame: .ink(margin: 2), on: try earlier())
    let drawn = try InkPicture(
      of: Array(word.prefix(2)), by: .polyline, scale: scale, frame: .ink(margin: 2))
    #expect(both == drawn)
    let alone = try InkPicture(
      of: [], by: .polyline, scale: scale, frame: .ink(margin: 2), on: try earlier())
    #expect(alone == (try earlier()))
  }

  @Test func `every pixel of another density is the mean of what it covers`() throws {
    let picture = try #require(
      InkPicture(
        coverage: [0, 100, 200, 40, 60, 80, 255, 255], width: 4, height: 2,
        scale: Scale(x: 2, y: 2), left: 2, top: 4))
    let half = try picture.resampled(to: Scale(x: 1, y: 1))
    #expect(half.width == 2 && half.height == 1 && half.left == 1 && half.top == 2)
    #expect(half.coverage == [60, 188])
    let double = try picture.resampled(to: Scale(x: 4, y: 4))
    #expect(double.width == 8 && double.left == 4)
    #expect(Array(double.coverage.prefix(8)) == [0, 0, 100, 100, 200, 200, 40, 40])
    #expect(try picture.resampled(to: Scale(x: 2, y: 2)) == picture)
    for absurd in [1e30, 1e7, .infinity, .nan, 0, -1] as [Float] {
      #expect(throws: InkPicture.Refusal.tooLarge) {
        _ = try picture.resampled(to: Scale(x: absurd, y: absurd))
      }
    }
  }

  @Test func `what is no picture is refused`() {
    let scale = Scale(x: 4, y: 4)
    #expect(InkPicture(coverage: [1, 2, 3], width: 2, height: 2, scale: scale) == nil)
    #expect(InkPicture(coverage: [], width: 0, height: 0, scale: scale) == nil)
    #expect(InkPicture(coverage: [1], width: 1, height: 1, scale: Scale(x: 0, y: 4)) == nil)
    #expect(InkPicture(coverage: [1], width: 1, height: 1, scale: Scale(x: .nan, y: 4)) == nil)
    #expect(InkPicture(coverage: [1], width: 1, height: 1, scale: scale) != nil)
  }
}
