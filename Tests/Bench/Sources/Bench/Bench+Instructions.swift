import CCallgrind
import Ink
import PNG
import Raster

extension Bench {
  /// Runs the rows of `baseline.json`, for `Tests/Bench/instructions.py`: callgrind writes the instructions of each.
  ///
  /// Each runs twice, and the second time counts: the first allocates.
  func countInstructions() {
    for kind in StrokeModel.Kind.allCases {
      count("model " + kind.rawValue) { model(kind) }
    }
    for kind in kinds {
      let outlines = Outlines(signature, kind: kind, scale: Bench.scale)
      let page = OurPage()
      count("raster " + kind.rawValue) { page.draw(outlines) }
      count("redraw " + kind.rawValue) { page.redraw(outlines) }
      var touches = Touches(kind, width: Bench.width, height: Bench.height)
      count("touch " + kind.rawValue) {
        touches.wipe()
        return touches.sign(signature)
      }
    }
    let page = OurPage()
    _ = page.draw(Outlines(signature, kind: .standard, scale: Bench.scale))
    count("copy XRGB8888") { page.copy() }
    count("copy RGB565") { page.copyRGB565() }
    count("scroll grey") { page.scroll(isGrey: true) }
    count("scroll colour") { page.scroll(isGrey: false) }
    let ink = picture()
    let grey = ink.map { 255 - $0 }
    count("PNG grey") { measured { _ = encode(grey, .grey) } }
    count("PNG palette") { measured { _ = encode(ink, .ink(red: 0, green: 0, blue: 0)) } }
  }

  private func count(_ name: String, _ run: () -> Double) {
    _ = run()
    callgrind_zero()
    _ = run()
    name.withCString { callgrind_write($0) }
  }
}
