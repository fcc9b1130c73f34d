public import Configuration
public import Display
internal import Raster
public import Touch

extension PanelLocation {
  /// The location of the pad's picture on the panel of a pipeline.
  public init(of pipeline: Pipeline, _ wishes: DisplayConfiguration) {
    let options = PanelOptions(wishes)
    let geometry = options.geometry(of: pipeline)
    let scale = geometry.scale(configured: options.size, told: pipeline.connector.size)
    self.init(
      connector: pipeline.connector.name, width: Float(geometry.width) / scale.x,
      height: Float(geometry.height) / scale.y)
  }

  /// The location of the pad's picture among the cards of a survey; nil if no panel fits, or the picture stays in
  /// memory.
  public init?(in survey: DisplaySurvey, _ wishes: DisplayConfiguration) {
    guard wishes.card != .memory, let pipeline = survey.choice.pipeline else { return nil }
    self.init(of: pipeline, wishes)
  }
}
