public import Configuration
internal import Ink
public import Raster

/// A theme for one panel: the layout options that fit it, and the pictures scaled to it.
public struct ResolvedTheme {
  /// The theme's options, or the defaults if the theme's do not fit.
  public private(set) var options = LayoutOptions()
  /// Background and logo; nil: the theme has neither.
  public private(set) var picture: GroundPicture?
  /// Parts of the theme that are left out, and text that is hard to read: one line each.
  public private(set) var warnings: [String] = []

  private let theme: ThemeConfiguration
  private let screen: ScreenGeometry

  /// - Parameters:
  ///   - undo: Whether there is a button *Undo*.
  ///   - isLarge: Whether words and buttons are large.
  ///   - read: Reads the pictures' files.
  public init(
    _ theme: ThemeConfiguration, on screen: ScreenGeometry, undo: Bool, isLarge: Bool = false,
    read: @escaping PictureReader
  ) {
    self.theme = theme
    self.screen = screen
    let background = ScreenPicture.background(of: theme, read)
    let logo = ScreenPicture.logo(of: theme, read)
    var logoSize: Point?
    do throws(ScreenPicture.Refusal) { logoSize = try logo?.size() } catch {
      warnings.append(error.text)
    }
    options = LayoutOptions(theme, glass: screen.glass, logo: logoSize, isLarge: isLarge)
    if let violation = self.violation(undo: undo), violation.severity == .error {
      mend(violation, undo: undo)
    }
    // The layout stays in use: a pad that shows no documents keeps its look.
    if let violation = self.violation(undo: undo), violation.severity == .warning {
      warnings.append(violation.text)
    }
    picture = painted(background, logo)
    if let picture, background != nil { warnings += contrastWarnings(picture) }
  }

  private func violation(undo: Bool) -> LayoutViolation? {
    LayoutViolation.first(of: options, on: screen.glass, undo: undo)
  }

  /// Replaces options that cannot be used: the key at fault, or all positions.
  private mutating func mend(_ violation: LayoutViolation, undo: Bool) {
    if let mended = violation.mended {
      warnings.append("\(violation.text); the key is ignored")
      options = mended
      return
    }
    warnings.append("\(violation.text); the default positions are used")
    let wanted = options
    options = LayoutOptions()
    (options.isLarge, options.logo) = (wanted.isLarge, wanted.logo)
    if self.violation(undo: undo)?.severity == .error { options.logo = nil }
    // Words of the normal size fit more panels.
    if self.violation(undo: undo)?.severity == .error { options.isLarge = false }
  }

  private mutating func painted(
    _ background: ScreenPicture?, _ logo: ScreenPicture?
  ) -> GroundPicture? {
    var painting = GroundPicture.Painting(
      width: screen.width, height: screen.height, ground: theme.colours.ground)
    let (fit, screen) = (theme.pictureFit, screen)
    var isPainted = false
    if let background {
      isPainted = paint(background, on: &painting) { fit.placement(of: $0, on: screen) }
    }
    let layout = Layout(width: screen.glass.x, height: screen.glass.y, options: options)
    if let logo, let area = layout.logo {
      let isShown = paint(logo, on: &painting) { size in
        let whole = Area(x: 0, y: 0, width: size.x, height: size.y)
        return (whole, PixelRect(nearest: area, scale: screen.scale))
      }
      isPainted = isPainted || isShown
    }
    return isPainted ? GroundPicture(painting) : nil
  }

  private mutating func paint(
    _ picture: ScreenPicture, on painting: inout GroundPicture.Painting,
    _ placement: (_ size: Point) -> (part: Area, target: PixelRect)
  ) -> Bool {
    do throws(ScreenPicture.Refusal) {
      try picture.paint(on: &painting, placement)
      return true
    } catch {
      warnings.append(error.text)
      return false
    }
  }

  /// Warns of a background that makes the words hard to read.
  private func contrastWarnings(_ picture: GroundPicture) -> [String] {
    let parts = LayoutParts(cancel: true, countdown: true)
    let layout = Layout(
      width: screen.glass.x, height: screen.glass.y, parts: parts, options: options)
    let around = layout.header.union(layout.countdown)
    guard let ratio = picture.contrast(to: theme.colours.words, in: around, scale: screen.scale),
      ratio < Contrast.ofWords
    else { return [] }
    return [
      "config: [theme] picture: the contrast of the words on it is \(ratio.inTenths):1;"
        + " readable text needs 7:1"
    ]
  }
}

extension GroundPicture {
  /// The contrast of a colour, 0xRRGGBB, to the picture within an area.
  ///
  /// A twentieth of the area may have less. Nil outside of the picture.
  fileprivate func contrast(to colour: UInt32, in area: Area, scale: Scale) -> Double? {
    let all = PixelRect(width: width, height: height)
    let rect = PixelRect(nearest: area, scale: scale).intersection(all)
    var ratios: [Double] = []
    // A sample of at most 128 × 128 pixels.
    let step = max(1, max(rect.width, rect.height) / 128)
    for y in stride(from: rect.y0, to: rect.y1, by: step) {
      for x in stride(from: rect.x0, to: rect.x1, by: step) {
        if let below = self[Int(x), Int(y)] { ratios.append(Contrast.ratio(colour, below)) }
      }
    }
    ratios.sort()
    return ratios.isEmpty ? nil : ratios[ratios.count / 20]
  }
}

extension ThemeConfiguration.PictureFit {
  /// The part of a picture to show, in its pixels, and where, in pixels of the screen.
  ///
  /// A picture's pixels are square; those of a screen need not be.
  func placement(
    of size: Point, on screen: ScreenGeometry
  ) -> (part: Area, target: PixelRect) {
    let glass = screen.glass
    let all = PixelRect(width: screen.width, height: screen.height)
    switch self {
    case .cover:
      let part = glass / max(glass.x / size.x, glass.y / size.y)
      let corner = (size - part) / 2
      return (Area(x: corner.x, y: corner.y, width: part.x, height: part.y), all)
    case .fit:
      let shown = size * min(glass.x / size.x, glass.y / size.y)
      let corner = (glass - shown) / 2
      let area = Area(x: corner.x, y: corner.y, width: shown.x, height: shown.y)
      return (
        Area(x: 0, y: 0, width: size.x, height: size.y),
        PixelRect(nearest: area, scale: screen.scale)
      )
    case .centre:
      let (width, height) = (Int32(size.x), Int32(size.y))
      let (x, y) = ((Int32(screen.width) - width) / 2, (Int32(screen.height) - height) / 2)
      let target = PixelRect(x, y, x + width, y + height).intersection(all)
      let part = Area(
        x: Float(target.x0 - x), y: Float(target.y0 - y), width: Float(target.width),
        height: Float(target.height))
      return (part, target)
    }
  }
}
