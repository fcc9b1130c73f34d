internal import CLinux
public import Configuration
public import Ink
internal import Raster

/// Finds the problems of a theme before it is shown.
public struct ThemeValidator {
  /// Errors: the theme cannot be shown. Warnings: something is hard to read or to press.
  public private(set) var problems: [ConfigurationProblem] = []

  private let origin: ConfigurationOrigin

  /// Decodes the theme's pictures, and checks its layout and contrasts.
  ///
  /// - Parameters:
  ///   - glass: The panel's size in millimetres, if known; nil: the configured size, if any.
  ///   - read: Reads the pictures' files.
  public init(
    _ configuration: PadConfiguration, glass: Point? = nil, read: @escaping PictureReader
  ) {
    let theme = configuration.theme
    origin = configuration.origin
    _ = validate(ScreenPicture.background(of: theme, read))
    let logo = validate(ScreenPicture.logo(of: theme, read))
    let glasses = glass.map { [$0] } ?? configuration.display.glasses
    let violations = glasses.compactMap { glass in
      LayoutViolation.first(
        of: LayoutOptions(
          theme, glass: glass, logo: logo, isLarge: configuration.text.isLarge),
        on: glass, undo: configuration.pad.undo)
    }
    // Of two orientations, the one that suits the layout better counts.
    if violations.count == glasses.count,
      let mildest = violations.first(where: { $0.severity == .warning }) ?? violations.first
    {
      problems.append(
        origin.problem(mildest.severity, mildest.section, mildest.key, mildest.reason))
    }
    for pair in theme.colours.pairs(ink: configuration.ink.colour) {
      let ratio = Contrast.ratio(pair.above, pair.below)
      guard ratio < Contrast.ofWords else { continue }
      let (section, key) = pair.place
      problems.append(origin.problem(.warning, section, key, pair.reason(ratio)))
    }
  }

  /// A picture's width and height in pixels; nil if there is none, or it cannot be shown.
  private mutating func validate(_ picture: ScreenPicture?) -> Point? {
    do throws(ScreenPicture.Refusal) { return try picture?.validatedSize() } catch {
      refuse(error.key, error.reason)
      return nil
    }
  }

  private mutating func refuse(_ key: String, _ reason: String) {
    problems.append(origin.problem(.error, "theme", key, reason))
  }
}

extension DisplayConfiguration {
  /// The possible sizes of the glass as the viewer sees it, in millimetres.
  ///
  /// Both orientations if only the panel knows its own, none if only the panel knows its size.
  public var glasses: [Point] {
    let memory = Point(Float(pixels.width), Float(pixels.height)) / Scale(dpi: 96).x
    guard let lying = size.map({ Point($0.width, $0.height) }) ?? (card == .memory ? memory : nil)
    else { return [] }
    let upright = Point(lying.y, lying.x)
    guard let rotation else { return card == .memory ? [lying] : [lying, upright] }
    return rotation % 180 == 0 ? [lying] : [upright]
  }
}

extension ThemeColours {
  /// Text, or ink, and its background.
  struct Pair {
    /// The key in [theme], or "ink".
    let name: String
    let above: UInt32
    let below: UInt32
    /// The background in words.
    let ground: String
  }

  /// All pairs that must be readable. Disabled buttons need not be.
  func pairs(ink: UInt32) -> [Pair] {
    [
      Pair(name: "words", above: words, below: ground, ground: "ground"),
      Pair(name: "quiet-words", above: quietWords, below: ground, ground: "ground"),
      Pair(name: "warning", above: warning, below: ground, ground: "ground"),
      Pair(name: "ink", above: ink, below: ground, ground: "ground"),
      Pair(name: "clear", above: clear.words, below: clear.face, ground: "its face"),
      Pair(name: "done", above: done.words, below: done.face, ground: "its face"),
      Pair(name: "cancel", above: cancel.words, below: cancel.face, ground: "its face"),
      Pair(name: "pressed", above: pressed.words, below: pressed.face, ground: "its face"),
      Pair(name: "saved", above: saved.words, below: saved.ground, ground: "its ground"),
      Pair(name: "ink", above: ink, below: saved.ground, ground: "the ground of saved"),
      Pair(name: "ended", above: ended.words, below: ended.ground, ground: "its ground"),
      Pair(
        name: "out-of-service", above: outOfService.words, below: outOfService.ground,
        ground: "its ground"),
    ]
  }
}

extension ThemeColours.Pair {
  /// Section and key of the colour above.
  fileprivate var place: (section: String, key: String) {
    name == "ink" ? ("ink", "colour") : ("theme", name)
  }

  fileprivate func reason(_ ratio: Double) -> String {
    "\(Self.hex(above)) on \(ground) \(Self.hex(below)) has a contrast of"
      + " \(ratio.inTenths):1; readable text needs 7:1"
  }

  private static func hex(_ colour: UInt32) -> String {
    let digits = String(colour & 0xFF_FFFF, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }
}

/// The contrast ratio of two colours, as WCAG 2.2 defines it.
enum Contrast {
  /// The minimum for text (WCAG 2.2, 1.4.6).
  static let ofWords = 7.0

  /// From 1 (equal) to 21 (black and white). Colours are 0xRRGGBB.
  static func ratio(_ a: UInt32, _ b: UInt32) -> Double {
    let (x, y) = (luminance(a), luminance(b))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  private static func luminance(_ colour: UInt32) -> Double {
    func linear(_ shift: UInt32) -> Double { light[Int(colour >> shift & 0xFF)] }
    return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
  }

  /// The linear light of each sRGB level.
  private static let light: [Double] = (0...255).map { level in
    let value = Double(level) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}

extension Double {
  /// One decimal, as "4.5". Rounds down, so that a value below a limit never prints as the limit.
  var inTenths: String {
    let tenths = Int(self * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
