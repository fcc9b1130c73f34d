public import Configuration
public import Display
internal import Raster
public import Touch

extension PanelLocation {
  /// The location of the pad's picture on the panel of a route.
  public init(of route: PanelRoute, _ wishes: DisplayConfiguration) {
    let options = PanelOptions(wishes)
    let geometry = options.geometry(of: route)
    let scale = geometry.scale(configured: options.size, told: route.connector.size)
    self.init(
      connector: route.connector.name, width: Float(geometry.width) / scale.x,
      height: Float(geometry.height) / scale.y)
  }

  /// The location of the pad's picture among the cards of a survey; nil if no panel fits, or the picture stays in
  /// memory.
  public init?(in survey: DisplaySurvey, _ wishes: DisplayConfiguration) {
    guard wishes.card != .memory, let route = survey.choice.route else { return nil }
    self.init(of: route, wishes)
  }
}
