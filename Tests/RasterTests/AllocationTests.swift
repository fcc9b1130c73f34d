import AllocationCount
import Ink
import SyntheticHand
import Testing

@testable import Raster

@Suite(
  .serialized, .enabled(if: allocation_is_counted(), "the sanitizer has its own allocator"))
struct AllocationTests {
  @Test func `the counter counts an array, a class and a pointer`() {
    final class Thing {}
    // The optimiser would put what does not leave its function on the stack.
    @inline(never) func make() -> Thing { Thing() }
    let before = allocation_count()
    let array = [Int](repeating: 1, count: Int.random(in: 10...20))
    let thing = make()
    let pointer = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
    #expect(allocation_count() >= before + 3)
    withExtendedLifetime((array, thing)) { pointer.deallocate() }
  }

  @Test func `ten thousand samples allocate no memory with any model`() {
    let kinds = StrokeModel.Kind.allCases
    for kind in kinds { sign(kind, rounds: 10_000 / 200 / kinds.count + 1) }
  }

  /// Signs with 200 samples a round, as the render thread does, and expects no allocation after the
  /// first round, which has what happens once.
  func sign(_ kind: StrokeModel.Kind, rounds: Int) {
    let scale = Scale(dpi: 163)
    var random = SeededRandom(seed: 4)
    let samples = random.stroke(samples: 200, from: Point(60, 40))
    var model = StrokeModel(kind)
    var ink = StrokeInk()
    var path = Path()
    var planes = InkPlanes(width: 800, height: 480)
    var canvas = Canvas(width: 800, height: 480)
    var asked = 0
    for round in 0...rounds {
      if round == 1 { asked = allocation_count() }
      for index in samples.indices {
        if index == 0 {
          model.begin(at: samples[index], into: &ink)
        } else {
          model.extend(to: samples[index], into: &ink)
        }
        var damage = PixelRegion(planes.clearTail())
        for segment in 0..<ink.finalised.count {
          path.removeAll()
          StrokeModel.outline(of: ink.finalised[segment], by: kind, into: &path)
          damage.add(planes.addFinalised(path, scale: scale))
        }
        ink.finalised.removeAll()
        path.removeAll()
        for segment in 0..<ink.provisional.count {
          StrokeModel.outline(of: ink.provisional[segment], by: kind, into: &path)
        }
        damage.add(planes.addTail(path, scale: scale))
        canvas.compose(damage, ink: planes)
      }
      model.end(into: &ink)
      ink.finalised.removeAll()
      planes.endStroke()
      if round % 10 == 0 { canvas.compose(planes.clear(), ink: planes) }
    }
    #expect(allocation_count() == asked, "\(kind)")
  }
}
