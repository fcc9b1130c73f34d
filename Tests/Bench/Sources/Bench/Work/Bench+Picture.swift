import Ink
import PNG
import Raster

/// A finished signature, and the PNG of it.
extension Bench {
  func encode(_ pixels: [UInt8], _ format: PNGHeader.Pixels) -> [UInt8] {
    var header = PNGHeader(width: Bench.width, height: Bench.height, pixels: format)
    header.scale = Bench.scale
    return (try? PNGFile.encode(pixels.span.bytes, as: header)) ?? []
  }

  /// Coverage: 0 paper, 255 ink.
  func picture() -> [UInt8] {
    let outlines = Outlines(signature, kind: .standard, scale: Bench.scale)
    var planes = InkPlanes(width: Bench.width, height: Bench.height)
    var path = Path()
    outlines.forEach(&path) { path, endsStroke in
      _ = planes.addFinalised(path, scale: Bench.scale)
      if endsStroke { planes.endStroke() }
    }
    return planes.coverage(of: PixelRect(width: Bench.width, height: Bench.height))
  }
}
