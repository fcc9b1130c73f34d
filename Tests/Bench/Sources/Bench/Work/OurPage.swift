import Ink
import Raster

/// Our own ink and picture.
final class OurPage {
  private var planes = InkPlanes(width: Bench.width, height: Bench.height)
  private var canvas = Canvas(width: Bench.width, height: Bench.height)
  private var path = Path()
  private let frame: UnsafeMutableBufferPointer<UInt32>
  private let packed: UnsafeMutableBufferPointer<UInt16>

  init() {
    frame = .allocate(capacity: Bench.width * Bench.height)
    packed = .allocate(capacity: Bench.width * Bench.height)
    // As mapped memory of a panel would be: there.
    frame.initialize(repeating: 0)
    packed.initialize(repeating: 0)
  }

  deinit {
    frame.deallocate()
    packed.deallocate()
  }

  /// Each segment at once into the picture; the second time counts.
  func draw(_ outlines: Outlines) -> Double {
    canvas.compose(planes.clear(), ink: planes)
    fill(outlines)
    canvas.compose(planes.clear(), ink: planes)
    return measured { fill(outlines) }
  }

  private func fill(_ outlines: Outlines) {
    outlines.forEach(&path) { path, endsStroke in
      canvas.compose(planes.addFinalised(path, scale: outlines.scale), ink: planes)
      if endsStroke { planes.endStroke() }
    }
  }

  /// A white page, and then everything.
  func redraw(_ outlines: Outlines) -> Double {
    measured {
      planes.clear()
      outlines.forEach(&path) { path, endsStroke in
        _ = planes.addFinalised(path, scale: outlines.scale)
        if endsStroke { planes.endStroke() }
      }
      canvas.compose(canvas.rect, ink: planes)
    }
  }

  /// The whole page into a frame buffer.
  func copy() -> Double {
    measured {
      var pixels = frame.mutableSpan
      canvas.copy(canvas.rect, to: &pixels, stride: Bench.width)
    }
  }

  /// A page of a document, which a finger has moved by 16 rows, into a frame buffer; without the decoding of its rows.
  func scroll(isGrey: Bool) -> Double {
    canvas.showPage(in: canvas.rect, isGrey: isGrey)
    defer { canvas.hidePage() }
    let row = [UInt8](repeating: 200, count: Bench.width * (isGrey ? 1 : 3))
    return measured {
      canvas.scrollPage(by: 16)
      for y in Bench.height - 16..<Bench.height { canvas.paintPage(row.span, y: y) }
      var pixels = frame.mutableSpan
      canvas.copy(canvas.rect, to: &pixels, stride: Bench.width)
    }
  }

  /// A page of ink into a frame buffer of 16 bits, row by row, as `Display` does.
  func copyRGB565() -> Double {
    measured {
      for row in 0..<Bench.height {
        var pixels = frame.mutableSpan
        canvas.copy(row: row, from: 0, count: Bench.width, to: &pixels)
        let output = UnsafeMutableBufferPointer(
          rebasing: packed[row * Bench.width..<(row + 1) * Bench.width])
        var words = output.mutableSpan
        Dither.rgb565(frame.span.extracting(first: Bench.width), x: 0, y: row, to: &words)
      }
    }
  }
}
