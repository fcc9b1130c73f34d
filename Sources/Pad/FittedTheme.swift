internal import Configuration
internal import Ink
internal import Raster

/// A theme as it fits one glass: where its parts are, and its pictures as they lie there.
struct FittedTheme {
  private(set) var places = LayoutPlaces()
  /// Nil where the theme has none.
  private(set) var picture: GroundPicture?
  /// What of the theme could not be had and is left out, and what is hard to read: a line each.
  private(set) var complaints: [String] = []

  private let theme: ThemeConfiguration
  private let panel: PanelFacts
  private var glass: Point { panel.glass }

  /// - Parameter undo: Whether there is a button *Undo*.
  init(_ theme: ThemeConfiguration, _ panel: PanelFacts, undo: Bool) {
    self.theme = theme
    self.panel = panel
    var logo: Point?
    do throws(ThemePicture.Refusal) { logo = try theme.logoPicture?.size() } catch {
      complaints.append(error.text)
    }
    let wanted = LayoutPlaces(theme, glass: glass, logo: logo)
    places = wanted
    if let flaw = LayoutFlaw.first(of: wanted, on: glass, undo: undo) {
      complaints.append("\(flaw.text); until then the pad takes its own places")
      places = LayoutPlaces()
      places.logo = wanted.logo
      if LayoutFlaw.first(of: places, on: glass, undo: undo) != nil { places.logo = nil }
    }
    picture = painted()
    if let picture, theme.picture != nil { complaints += contrastWarnings(picture) }
  }

  private mutating func painted() -> GroundPicture? {
    var painting = GroundPicture.Painting(
      width: panel.width, height: panel.height, ground: theme.colours.ground)
    let (fit, panel) = (theme.pictureFit, panel)
    var isPainted = false
    if let picture = theme.background {
      isPainted = lay(picture, on: &painting) { fit.places($0, panel) }
    }
    let layout = Layout(width: glass.x, height: glass.y, places: places)
    if let logo = theme.logoPicture, let area = layout.logo {
      let shown = lay(logo, on: &painting) { size in
        let whole = Area(x: 0, y: 0, width: size.x, height: size.y)
        return (whole, PixelRect(nearest: area, scale: panel.scale))
      }
      isPainted = isPainted || shown
    }
    return isPainted ? GroundPicture(painting) : nil
  }

  private mutating func lay(
    _ picture: ThemePicture, on painting: inout GroundPicture.Painting,
    _ place: (_ size: Point) -> (part: Area, target: PixelRect)
  ) -> Bool {
    do throws(ThemePicture.Refusal) {
      try picture.lay(on: &painting, place)
      return true
    } catch {
      complaints.append(error.text)
      return false
    }
  }

  /// Of the words that the picture is under.
  private func contrastWarnings(_ picture: GroundPicture) -> [String] {
    let parts = LayoutParts(cancel: true, countdown: true)
    let layout = Layout(width: glass.x, height: glass.y, parts: parts, places: places)
    let around = layout.header.union(layout.countdown)
    guard let ratio = picture.contrast(to: theme.colours.words, in: around, scale: panel.scale),
      ratio < Contrast.ofWords
    else { return [] }
    return [
      "config: [theme] picture: under the words it has a contrast to them of"
        + " \(ratio.inTenths):1; words need 7:1 to be read"
    ]
  }
}

extension GroundPicture {
  /// The contrast of a colour, 0xRRGGBB, to what is below it: that which a twentieth of an area falls
  /// short of. Nil beyond the picture.
  fileprivate func contrast(to colour: UInt32, in area: Area, scale: Scale) -> Double? {
    let all = PixelRect(width: width, height: height)
    let rect = PixelRect(nearest: area, scale: scale).intersection(all)
    var ratios: [Double] = []
    // As many as tell; a large glass has a million.
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
