import Ink
import Raster

/// What every part of the bench works on.
struct Bench {
  /// 1 pt of the published model is a pixel.
  static let scale = Scale(dpi: 163)
  static let width = 1280
  static let height = 800

  let signature = Hand().sign(seed: 7)
  /// The models whose ink is rastered: Paraph's own, and the reference.
  let kinds: [StrokeModel.Kind] = [.standard, .uberSignature]

  var samples: Int { signature.reduce(0) { $0 + $1.count } }
}
