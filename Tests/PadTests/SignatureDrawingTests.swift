import Configuration
import Ink
import Raster
import Screen
import Signature
import Testing

@testable import Pad

@Suite struct SignatureDrawingTests {
  private func problem(
    _ signature: String, _ x: Float, _ y: Float, panel: Scale? = nil
  ) throws -> String? {
    let configuration = try PadConfiguration(
      "[signature]\n\(signature)\n", file: "", models: Appliance.modelNames)
    let drawing = SignatureDrawing(
      wishes: configuration.signature, model: .standard, theme: Theme(configuration))
    return drawing.sizeProblem(on: Point(x, y), panel: panel)
  }

  @Test(arguments: [(217, 136, 1211), (154, 86, 1807), (120, 70, 2270), (476.6, 268, 582)])
  func `ink that fills the glass can be saved up to a maximum density`(
    x: Float, y: Float, largest: Int
  ) throws {
    #expect(try problem("dpi = \(largest)\ntrim = no", x, y) == nil)
    let text = try #require(try problem("dpi = \(largest + 1)\ntrim = no", x, y))
    #expect(text.hasPrefix("\(largest + 1) is too fine to save a signature that fills the glass ("))
    #expect(text.hasSuffix("and 67108864 is the limit: use \(largest) or less"))
  }

  @Test func `trimmed ink may fill the glass and has its margin around it`() throws {
    #expect(try problem("dpi = 1600", 154, 86) == nil)
    #expect(try problem("dpi = 1807\nmargin = 2", 154, 86) != nil)
    #expect(try problem("dpi = 600\nmargin = 100", 154, 86) == nil)
    #expect(try problem("dpi = 1200\nmargin = 100", 154, 86) != nil)
  }

  @Test func `a picture as fine as the panel is judged where the panel is known`() throws {
    #expect(try problem("dpi = panel\ntrim = no", 154, 86) == nil)
    #expect(try problem("dpi = panel\ntrim = no", 154, 86, panel: Scale(x: 5, y: 5)) == nil)
    #expect(try problem("dpi = panel\ntrim = no", 154, 86, panel: Scale(x: 80, y: 80)) != nil)
  }

  @Test func `ink that swings out beyond the glass is saved, a little coarser if need be`() throws {
    let configuration = try PadConfiguration(
      "[signature]\ndpi = 1726\n", file: "", models: Appliance.modelNames)
    let drawing = SignatureDrawing(
      wishes: configuration.signature, model: .standard, theme: Theme(configuration))
    let glass = Point(154, 86)
    #expect(drawing.sizeProblem(on: glass, panel: nil) == nil)
    // A fast hand along the edges: the spline overshoots at the corners.
    var places: [Point] = []
    for step in 0..<8 { places.append(Point(Float(step) / 8 * 154, 0)) }
    for step in 0..<4 { places.append(Point(154, Float(step) / 4 * 86)) }
    for step in 0..<8 { places.append(Point(154 - Float(step) / 8 * 154, 86)) }
    for step in 0...4 { places.append(Point(0, 86 - Float(step) / 4 * 86)) }
    let stroke = Stroke(
      places.enumerated().map {
        Sample(time: 1_000_000_000 + Int64($0) * 10_000_000, position: $1)
      })
    let wanted = Scale(dpi: 1726)
    #expect(throws: InkPicture.Refusal.tooLarge) {
      try InkPicture(
        of: [stroke], by: .standard, law: drawing.theme.law, scale: wanted,
        frame: .ink(margin: configuration.signature.margin))
    }
    let picture = try drawing.picture(of: [stroke], on: glass, panel: wanted)
    #expect(picture.scale.x < wanted.x && picture.scale.x > 0.7 * wanted.x)
  }

  @Test func `no size of the glass causes a trap`() throws {
    for size in [0, 0.001, 1e9, 1e30, .infinity] as [Float] {
      _ = try problem("dpi = 300", size, size)
      _ = try problem("dpi = 2400\ntrim = no", size, 1)
    }
  }
}
