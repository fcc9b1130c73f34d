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

  @Test func `a change of density keeps the ground`() throws {
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
      for scale in [Scale(x: absurd, y: absurd), Scale(x: absurd, y: 2), Scale(x: 2, y: absurd)] {
        #expect(throws: InkPicture.Refusal.tooLarge) { _ = try picture.resampled(to: scale) }
      }
    }
  }

  @Test(arguments: [(1, 1, 8200, 8200), (1, 90, 8200, 100), (90, 1, 100, 8200)])
  func `a ground of more pixels than a picture has is refused, however small it was`(
    width: Int, height: Int, x: Float, y: Float
  ) throws {
    let coverage = [UInt8](repeating: 9, count: width * height)
    let ground = try #require(
      InkPicture(coverage: coverage, width: width, height: height, scale: Scale(x: 1, y: 1)))
    #expect(throws: InkPicture.Refusal.tooLarge) {
      _ = try ground.resampled(to: Scale(x: x, y: y))
    }
    #expect(try ground.resampled(to: Scale(x: 2, y: 2)).width == 2 * width)
  }

  @Test func `at a density that is no multiple a ground keeps its ink and its place`() throws {
    let picture = try earlier()
    let ink = Double(picture.coverage.reduce(0) { $0 + Int($1) })
    for target in [Scale(x: 6.0173, y: 6.0173), Scale(x: 2.51, y: 7.093), Scale(x: 3.97, y: 4.03)] {
      let other = try picture.resampled(to: target)
      let (x, y) = (target.x / scale.x, target.y / scale.y)
      let sum = Double(other.coverage.reduce(0) { $0 + Int($1) })
      #expect(abs(sum / ink / Double(x * y) - 1) < 0.01)
      #expect(other.left == Int((Float(picture.left) * x).rounded(.down)))
      #expect(other.top == Int((Float(picture.top) * y).rounded(.down)))
      let right = Float(picture.left + picture.width) * x
      #expect(other.left + other.width == Int(right.rounded(.up)))
    }
  }

  @Test(arguments: [1, -1]) func `a ground of which no Float holds each pixel is refused`(
    side: Int
  ) throws {
    // Twice the distance of its far edge and a pixel is 2²⁴.
    for (distance, fits) in [(8_388_606, true), (8_388_607, false), (8_388_700, false)] {
      for axis in 0..<2 {
        let places = [side > 0 ? distance - 10 : 10 - distance, 3]
        let picture = try #require(
          InkPicture(
            coverage: [UInt8](repeating: 9, count: 100), width: 10, height: 10,
            scale: Scale(x: 1, y: 1), left: places[axis], top: places[1 - axis]))
        if fits {
          #expect(try picture.resampled(to: Scale(x: 2, y: 2)).width == 20)
        } else {
          #expect(throws: InkPicture.Refusal.tooLarge) {
            _ = try picture.resampled(to: Scale(x: 2, y: 2))
          }
        }
        #expect(try picture.resampled(to: Scale(x: 0.5, y: 0.5)).width >= 5)
      }
    }
  }

  @Test func `an invalid picture is refused`() {
    let scale = Scale(x: 4, y: 4)
    #expect(InkPicture(coverage: [1, 2, 3], width: 2, height: 2, scale: scale) == nil)
    #expect(InkPicture(coverage: [], width: 0, height: 0, scale: scale) == nil)
    #expect(InkPicture(coverage: [1], width: 1, height: 1, scale: Scale(x: 0, y: 4)) == nil)
    #expect(InkPicture(coverage: [1], width: 1, height: 1, scale: Scale(x: .nan, y: 4)) == nil)
    for place in [Int.min, .max] {
      let moved = InkPicture(coverage: [1], width: 1, height: 1, scale: scale, left: place)
      #expect(moved == nil)
    }
    #expect(InkPicture(coverage: [1], width: 1, height: 1, scale: scale) != nil)
  }
}
