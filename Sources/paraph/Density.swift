internal import ArgumentParser
import Raster

/// The option `--dpi`: pixels per inch, or `panel` for those of the panel that was signed on.
struct Density: ExpressibleByArgument {
  /// Nil: the panel's.
  let dpi: Float?

  init?(argument: String) {
    if argument == "panel" {
      dpi = nil
    } else if let dpi = Float(argument), (1...4800).contains(dpi) {
      self.dpi = dpi
    } else {
      return nil
    }
  }

  func scale(of file: StrokeFile, _ path: String) throws(ToolError) -> Scale {
    if let dpi { return Scale(dpi: dpi) }
    guard let scale = file.scale else {
      throw ToolError(.data, "\(path) does not say which panel was signed on: --dpi needs a number")
    }
    return scale
  }
}
