internal import Configuration
internal import Control
internal import Ink
internal import Raster
internal import Screen
internal import Signature

/// How a signature is drawn for keeps: what `[signature]` and `[ink]` of the configuration say of it.
/// Nothing of the theme is in it but the ink.
struct SignatureDrawing: Sendable {
  let wishes: SignatureConfiguration
  let model: StrokeModel.Kind
  let theme: Theme

  /// The picture; `panel` is the scale of the panel, for who wants its pixels.
  func picture(
    of strokes: [Stroke], on glass: Point, panel: Scale
  ) throws(InkPicture.Refusal) -> InkPicture {
    let scale =
      switch wishes.resolution {
      case .dpi(let dpi): Scale(dpi: Float(dpi))
      case .panel: panel
      }
    return try InkPicture(
      of: strokes, by: model, law: theme.law, scale: scale, frame: frame(glass))
  }

  /// Its outlines.
  func svg(of strokes: [Stroke], on glass: Point) throws(InkPicture.Refusal) -> [UInt8] {
    try SVG.write(
      strokes, by: model, law: theme.law, frame: frame(glass), colour: theme.inkOnPaper)
  }

  /// Its samples; `time` in nanoseconds since 1970.
  func inkml(of strokes: [Stroke], on glass: Point, time: Int64) -> [UInt8] {
    InkML.write(strokes, glass: glass, time: time)
  }

  /// What a reply carries: the same bytes as the spool has, where it has them.
  func file(_ format: SignatureFormat, of signature: SavedSignature) -> [UInt8]? {
    switch format {
    case .svg: try? svg(of: signature.strokes, on: signature.glass)
    case .inkml: inkml(of: signature.strokes, on: signature.glass, time: signature.time)
    case .png, .strokes: nil
    }
  }

  private func frame(_ glass: Point) -> InkPicture.Frame {
    wishes.trim ? .ink(margin: wishes.margin) : .glass(glass)
  }
}
