import Commands
import Ink
import Raster

/// The options and the operand of commands that draw a file.
extension Option {
  static var model: Option {
    Option(
      "model", short: "m", value: "MODEL",
      values: .oneOf(["default"] + StrokeModel.Kind.allCases.map { $0.rawValue }),
      "Draw with this stroke model; by default, the signature's own model, else the default model."
    )
  }

  /// - Parameter fallback: The value if neither option nor file has units.
  static func unitsPerMillimetre(_ fallback: String) -> Option {
    Option(
      "units-per-mm", value: "N",
      "Set the device units per millimetre; by default, the device's resolution, else \(fallback)."
    )
  }
}

extension Operand {
  static var strokes: Operand {
    Operand(
      "INPUT", count: .one, values: .file([]),
      "A recording of evemu or libinput, handwriting in .svc, or a signature's strokes: strokes.json, or the .json "
        + "of 'paraph sign'.")
  }
}

extension Arguments {
  /// The value of `--units-per-mm`.
  func unitsPerMillimetre() throws(UsageError) -> Double? {
    try number("units-per-mm", "a number above 0") { $0.isFinite && $0 > 0 }
  }
}

/// The density of a picture.
enum Density {
  case dpi(Float)
  /// The density of the panel of the signature.
  case panel

  static var option: Option {
    Option(
      "dpi", value: "DPI", values: .words(["panel"]), default: "300",
      "Set the pixels per inch, from 1 to 4800, or panel for those of the signature's panel."
    )
  }

  init(_ arguments: Arguments) throws(UsageError) {
    if arguments.value("dpi") == "panel" {
      self = .panel
      return
    }
    let number = try arguments.number("dpi", "panel or a number from 1 to 4800") {
      $0 >= 1 && $0 <= 4800
    }
    self = .dpi(number.map { Float($0) } ?? 300)
  }

  func scale(of file: StrokeFile, _ path: String) throws(ToolError) -> Scale {
    if case .dpi(let dpi) = self { return Scale(dpi: dpi) }
    guard let scale = file.scale else {
      throw ToolError(.data, "\(path): the file has no panel density; set --dpi to a number")
    }
    return scale
  }
}

/// The format of a picture by its file name's suffix.
enum PictureFormat {
  case png, svg, inkml

  init?(_ path: String) {
    if path.hasASCIISuffix(".png") {
      self = .png
    } else if path.hasASCIISuffix(".svg") {
      self = .svg
    } else if path.hasASCIISuffix(".inkml") {
      self = .inkml
    } else {
      return nil
    }
  }
}

extension String {
  /// Whether the text has a suffix, ignoring ASCII case.
  ///
  /// - Parameter suffix: Lower-case ASCII.
  func hasASCIISuffix(_ suffix: StaticString) -> Bool {
    let suffix = unsafe Array(
      UnsafeBufferPointer(start: suffix.utf8Start, count: suffix.utf8CodeUnitCount))
    let end = utf8.suffix(suffix.count).map { byte in
      byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
    return end == suffix
  }
}
