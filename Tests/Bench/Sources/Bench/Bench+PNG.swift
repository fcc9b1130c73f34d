import Ink
import PNG
import Peers
import Raster

extension Bench {
  /// A finished signature, 1280×800: eight bits grey, and a palette with transparency; against libpng as
  /// it comes, which writes the same pixels grey, and against the least that zopfli finds.
  func measurePNG(_ report: inout Report) {
    let ink = picture()
    let grey = ink.map { 255 - $0 }
    let names = ["grey", "palette with transparency"]
    var files: [[UInt8]] = [[], []]
    var theirs = 0
    let runs = Interleaved(
      rounds: Bench.rounds / 2,
      [
        (
          "libpng's defaults",
          { measured { theirs = png_default_size(grey, Int32(Bench.width), Int32(Bench.height)) } }
        ),
        (names[0], { measured { files[0] = encode(grey, .grey) } }),
        (names[1], { measured { files[1] = encode(ink, .ink(red: 0, green: 0, blue: 0)) } }),
      ])
    for (name, file) in zip(names, files) {
      report.add("PNG 1280×800, \(name)", runs.median(name) / 1e6, "ms")
      report.add("PNG 1280×800, \(name)", Double(file.count), "bytes")
      report.add(
        "PNG time, \(name)", runs.ratio(name, to: "libpng's defaults"),
        against: "libpng's defaults", target: 0.25)
      report.add(
        "PNG bytes, \(name)", Double(file.count) / Double(theirs), against: "libpng's defaults",
        target: 0.82)
      if let least = Zopfli.size(of: file) {
        report.add(
          "PNG bytes, \(name)", Double(file.count) / Double(least), against: "zopflipng",
          target: 1.08)
      } else {
        report.skip("PNG bytes, \(name) / zopflipng: zopfli is not installed")
      }
    }
  }
}
