internal import Configuration
internal import Ink
internal import Raster
internal import Screen
internal import Signature

extension SignatureDrawing {
  /// Why `[signature] dpi` lets no signature that fills a glass be saved; nil if it can be.
  ///
  /// A person must not sign what cannot be saved, so the largest picture counts: the whole glass, and with
  /// `trim` the margin and the width of the ink around it.
  ///
  /// - Parameters:
  ///   - glass: In millimetres.
  ///   - panel: Pixels per millimetre; nil where only the panel knows.
  func sizeProblem(on glass: Point, panel: Scale?) -> String? {
    let key: String
    let scale: Scale
    switch wishes.resolution {
    case .panel:
      guard let panel else { return nil }
      (key, scale) = ("panel", panel)
    case .dpi(let dpi): (key, scale) = ("\(dpi)", Scale(dpi: Float(dpi)))
    }
    let (width, height) = pixels(glass, scale)
    if fits(width, height) { return nil }
    let area = "\(whole(glass.x)) × \(whole(glass.y)) mm"
    return "\(key) is too fine to save a signature that fills the glass (\(area)):"
      + " \(whole(width)) × \(whole(height)) pixels, and \(InkPicture.pixelLimit) is the limit:"
      + " use \(largestDensity(on: glass)) or less"
  }

  /// Pixels of the largest picture. Not integers: they may be more than any integer holds.
  private func pixels(_ glass: Point, _ scale: Scale) -> (Float, Float) {
    let size = scale.pixels(glass)
    guard wishes.trim else { return (size.x.rounded(.up), size.y.rounded(.up)) }
    let around = scale.pixels(Point(wishes.margin, wishes.margin))
    let ink = scale.pixels(Point(theme.law.widest, theme.law.widest))
    return (
      (size.x + ink.x).rounded(.up) + 2 * around.x.rounded(.up),
      (size.y + ink.y).rounded(.up) + 2 * around.y.rounded(.up)
    )
  }

  private func fits(_ width: Float, _ height: Float) -> Bool {
    // A side of 2^24 pixels is more than a Float counts, and more than a picture may have.
    width < 16_777_216 && height < 16_777_216
      && Int64(width) * Int64(height) <= Int64(InkPicture.pixelLimit)
  }

  /// In dots per inch: by halves, as what fits at one density fits at all below it.
  private func largestDensity(on glass: Point) -> Int {
    var (fitting, tooLarge) = (0, 1 << 16)
    while tooLarge - fitting > 1 {
      let middle = (fitting + tooLarge) / 2
      let (width, height) = pixels(glass, Scale(dpi: Float(middle)))
      if fits(width, height) { fitting = middle } else { tooLarge = middle }
    }
    return fitting
  }

  /// A whole number for a message.
  private func whole(_ value: Float) -> String {
    value < 1e9 ? "\(Int64(value.rounded()))" : "more than 1000000000"
  }
}
