import AllocationCount
import Ink
import Raster
import Signature
import Testing

@Suite(
  .serialized, .enabled(if: allocation_is_counted(), "the sanitizer has its own allocator"))
struct AllocationTests {
  @Test(arguments: StrokeModel.Kind.allCases)
  func `ten thousand samples allocate nothing`(_ kind: StrokeModel.Kind) {
    var model = DrawingModel(
      kind, width: 400, height: 240, scale: Scale(x: 3, y: 3), capacity: 11_000)
    let strokes = Self.strokes(count: 40, samples: 250)
    // What happens once: without optimisation the runtime looks up types when they are first used.
    Self.sign(Array(strokes.prefix(2)), on: &model)
    _ = model.wipe()
    let before = allocation_count()
    Self.sign(strokes, on: &model)
    let allocated = allocation_count() - before
    #expect(allocated == 0)
    let count = model.store.sampleCount
    #expect(count == 10_000)
  }

  private static func sign(_ strokes: [[Sample]], on model: inout DrawingModel) {
    for stroke in strokes.indices {
      for index in strokes[stroke].indices {
        let sample = strokes[stroke][index]
        _ = index == 0 ? model.begin(sample) : model.extend(sample)
      }
      _ = model.end()
    }
  }

  @Test func `the counter counts an allocation`() {
    let before = allocation_count()
    var model = DrawingModel(
      .polyline, width: 80, height: 48, scale: Scale(x: 6, y: 6), capacity: 10)
    _ = model.begin(Sample(time: 0, position: Point(1, 1)))
    #expect(allocation_count() > before)
  }

  /// Loops that go on over the glass, with a cusp every now and then.
  private static func strokes(count: Int, samples: Int) -> [[Sample]] {
    (0..<count).map { stroke in
      var place = Point(10 + Float(stroke % 10) * 11, 10 + Float(stroke / 10) * 18)
      var way = Point(0.4, 0)
      return (0..<samples).map { index in
        place += way
        // A turn by 0.2 rad; back on the spot at each hundredth sample.
        way = index % 100 == 99 ? -way : way * 0.98 + way.normal * 0.199
        return Sample(
          time: Int64(stroke * 1000 + index) * 4_000_000, position: place,
          pressure: Float(index % 50) / 50)
      }
    }
  }
}
