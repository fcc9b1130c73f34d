public import Configuration
public import Ink
internal import Raster

/// What can be told of a theme before it is shown.
public struct ThemeExamination {
  /// Why it cannot be used: a line each.
  public private(set) var refusals: [String] = []
  /// What is hard to read: a line each.
  public private(set) var warnings: [String] = []

  /// Reads its pictures.
  ///
  /// - Parameter glass: In millimetres, where it is known; nil: what the configuration says of it, if it
  ///   says anything.
  public init(_ configuration: PadConfiguration, glass: Point? = nil) {
    let theme = configuration.theme
    _ = examine(theme.background)
    let logo = examine(theme.logoPicture)
    let flaws = (glass.map { [$0] } ?? configuration.display.glasses).map { glass in
      LayoutFlaw.first(
        of: LayoutPlaces(theme, glass: glass, logo: logo), on: glass,
        undo: configuration.pad.undo)
    }
    if let flaw = flaws.first ?? nil, flaws.allSatisfy({ $0 != nil }) {
      refusals.append(flaw.text)
    }
    let model = StrokeModel.Kind(configuration.ink)
    if configuration.ink.width != nil, !model.followsLaw {
      refusals.append(
        "config: [ink] width: the model \(model.rawValue) has its own widths: take model = default")
    }
    warnings = theme.colours.contrastWarnings(ink: configuration.ink.colour)
  }

  /// A picture's width and height in pixels, if there is one and it can be shown.
  private mutating func examine(_ picture: ThemePicture?) -> Point? {
    do throws(ThemePicture.Refusal) { return try picture?.examined() } catch {
      refusals.append(error.text)
      return nil
    }
  }
}

extension DisplayConfiguration {
  /// The glass in millimetres as it is looked at: both ways where only the panel knows how it is built
  /// in, and nothing where only the panel knows its size.
  fileprivate var glasses: [Point] {
    let memory = Point(Float(pixels.width), Float(pixels.height)) / Scale(dpi: 96).x
    guard let lying = size.map({ Point($0.width, $0.height) }) ?? (card == .memory ? memory : nil)
    else { return [] }
    let upright = Point(lying.y, lying.x)
    guard let rotation else { return card == .memory ? [lying] : [lying, upright] }
    return rotation % 180 == 0 ? [lying] : [upright]
  }
}
