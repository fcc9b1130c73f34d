import Ink
import Raster
import Signature

/// What the render thread does for each sample: model, ink, picture, and the changed rows into a frame
/// buffer.
struct Touches: ~Copyable {
  private let width: Int
  private var drawing: DrawingModel
  private var canvas: Canvas
  private let frame: UnsafeMutablePointer<UInt32>

  init(_ kind: StrokeModel.Kind, width: Int, height: Int) {
    self.width = width
    drawing = DrawingModel(
      kind, width: width, height: height, scale: Bench.scale, capacity: 1 << 17)
    canvas = Canvas(width: width, height: height)
    frame = .allocate(capacity: width * height)
    // As mapped memory of a panel would be: there.
    frame.initialize(repeating: 0, count: width * height)
  }

  deinit { frame.deallocate() }

  /// Draws a signature on what is there; `time` is given the nanoseconds of each sample.
  mutating func sign(_ signature: [[Sample]], _ time: (Double) -> Void) {
    for stroke in signature {
      for index in stroke.indices {
        time(elapsed { touch(stroke[index], isFirst: index == 0) })
      }
      show(drawing.end())
    }
  }

  /// Nanoseconds of a whole signature on what is there.
  mutating func sign(_ signature: [[Sample]]) -> Double {
    measured {
      for stroke in signature {
        for index in stroke.indices { touch(stroke[index], isFirst: index == 0) }
        show(drawing.end())
      }
    }
  }

  mutating func wipe() { show(drawing.wipe()) }

  private mutating func touch(_ sample: Sample, isFirst: Bool) {
    if let damage = isFirst ? drawing.begin(sample) : drawing.extend(sample) { show(damage) }
  }

  private mutating func show(_ damage: PixelRect) {
    canvas.compose(damage, ink: drawing.planes)
    guard !damage.isEmpty else { return }
    let first = Int(damage.y0) * width + Int(damage.x0)
    let count = (damage.height - 1) * width + damage.width
    var pixels = MutableSpan(_unsafeStart: frame + first, count: count)
    canvas.copy(damage, to: &pixels, stride: width)
  }
}
