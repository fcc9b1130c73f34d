import Configuration
import Ink
import Signature
import Testing
import Touch

@testable import Pad
@testable import Raster
@testable import Screen

extension PadModelTests {
  /// Otherwise the journal has no end of the stroke, and screenshots wait for it.
  @Test func `scenes that come while a finger draws end the stroke`() {
    var recorded: [GlassContact.Phase] = []
    var glass = PadModel(
      width: 770, height: 430, scale: Self.scale, model: .standard, theme: Theme(),
      minimumLength: 5
    ) { recorded.append($0.phase) }
    _ = glass.down(Sample(time: 0, position: Point(40, 30)))
    _ = glass.move(Sample(time: 1, position: Point(60, 30)))
    glass.setScenes(Scene(layout: Self.layout))
    let isDrawing = glass.isDrawing
    _ = glass.move(Sample(time: 2, position: Point(70, 30)))
    _ = glass.up(at: 3)
    let samples = glass.drawing.store.strokes().map(\.samples.count)
    #expect(!isDrawing && recorded == [.down, .move, .up] && samples == [2])
  }
}
