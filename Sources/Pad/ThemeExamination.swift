internal import Configuration
internal import Ink
internal import Raster

/// What can be told of a theme before it is shown.
struct ThemeExamination {
  /// Errors: it cannot be shown. Warnings: something is hard to read.
  private(set) var problems: [ConfigurationProblem] = []

  private let origin: ConfigurationOrigin

  /// Reads its pictures.
  ///
  /// - Parameter glass: In millimetres, where it is known; nil: what the configuration says of it, if it
  ///   says anything.
  init(_ configuration: PadConfiguration, glass: Point? = nil) {
    let theme = configuration.theme
    origin = configuration.origin
    _ = examine(theme.background)
    let logo = examine(theme.logoPicture)
    let flaws = (glass.map { [$0] } ?? configuration.display.glasses).map { glass in
      LayoutFlaw.first(
        of: LayoutPlaces(theme, glass: glass, logo: logo), on: glass,
        undo: configuration.pad.undo)
    }
    if let flaw = flaws.first ?? nil, flaws.allSatisfy({ $0 != nil }) {
      refuse("theme", flaw.key, flaw.reason)
    }
    let model = StrokeModel.Kind(configuration.ink)
    if let glass = glass ?? configuration.display.glasses.first {
      let drawing = SignatureDrawing(
        wishes: configuration.signature, model: model, theme: Theme(configuration))
      if let problem = drawing.sizeProblem(on: glass, panel: nil) {
        refuse("signature", "dpi", problem)
      }
    }
    if configuration.ink.width != nil, !model.followsLaw {
      refuse("ink", "width", "the model \(model.rawValue) has its own widths: take model = default")
    }
    for (pair, reason) in theme.colours.faintPairs(ink: configuration.ink.colour) {
      problems.append(origin.problem(.warning, pair.place.section, pair.place.key, reason))
    }
  }

  /// A picture's width and height in pixels, if there is one and it can be shown.
  private mutating func examine(_ picture: ThemePicture?) -> Point? {
    do throws(ThemePicture.Refusal) { return try picture?.examined() } catch {
      refuse("theme", error.picture.key, "\(error.picture.path): \(error.reason)")
      return nil
    }
  }

  private mutating func refuse(_ section: String, _ key: String, _ reason: String) {
    problems.append(origin.problem(.error, section, key, reason))
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
