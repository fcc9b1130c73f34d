import Ink
import PNG
import Peers
import Raster

extension Bench {
  /// A finished signature, 1280×800, eight bits grey.
  func measurePNG(_ report: inout Report) {
    let grey = picture()
    var header = PNGHeader(width: Bench.width, height: Bench.height, pixels: .grey)
    header.scale = Bench.scale
    var theirs = 0
    var ours = 0
    let runs = Interleaved(
      rounds: Bench.rounds / 2,
      [
        (
          "libpng's defaults",
          {
            measured {
              theirs = png_default_size(grey, Int32(Bench.width), Int32(Bench.height))
            }
          }
        ),
        (
          "PNG",
          {
            measured { ours = (try? PNGFile.encode(grey.span.bytes, as: header).count) ?? 0 }
          }
        ),
      ])
    report.add("PNG 1280×800", runs.median("PNG") / 1e6, "ms")
    report.add("PNG 1280×800", Double(ours), "bytes")
    report.add(
      "PNG time", runs.ratio("PNG", to: "libpng's defaults"), against: "libpng's defaults",
      target: 0.25)
    report.add(
      "PNG bytes", Double(ours) / Double(theirs), against: "libpng's defaults", target: 0.82)
  }

  /// Black ink on white.
  private func picture() -> [UInt8] {
    let outlines = Outlines(signature, kind: .standard, scale: Bench.scale)
    var planes = InkPlanes(width: Bench.width, height: Bench.height)
    var path = Path()
    outlines.forEach(&path) { path, endsStroke in
      _ = planes.settle(path, scale: Bench.scale)
      if endsStroke { planes.endStroke() }
    }
    return planes.coverage(of: PixelRect(width: Bench.width, height: Bench.height)).map {
      255 - $0
    }
  }
}
