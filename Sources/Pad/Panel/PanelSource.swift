public import Configuration
public import Display
internal import Raster
public import Touch

/// Opens the configured panel, on the thread that will own it.
struct PanelSource: Sendable {
  /// Opens the panel.
  let open: @Sendable () throws(DisplayError) -> Panel

  /// A source that calls a function, for tests.
  init(open: @escaping @Sendable () throws(DisplayError) -> Panel) { self.open = open }

  /// The source of the configured panel.
  init(_ configuration: DisplayConfiguration) {
    if configuration.card == .memory {
      let options = MemoryPanelOptions(configuration)
      open = { () throws(DisplayError) in try Panel(options) }
    } else {
      let options = PanelOptions(configuration)
      open = { () throws(DisplayError) in try Panel(options) }
    }
  }
}

extension Panel {
  /// Opens the configured panel.
  public init(_ configuration: DisplayConfiguration) throws(DisplayError) {
    self = try PanelSource(configuration).open()
  }
}

extension OutputSelector {
  /// The configured requirements.
  public init(_ configuration: DisplayConfiguration) {
    self.init(connector: configuration.connector)
    if case .path(let path) = configuration.card { card = path }
    if case .size(let size, let refresh) = configuration.mode {
      mode = ModeRequest(
        width: size.width, height: size.height,
        refreshMilliHertz: refresh.map { Int(($0 * 1000).rounded()) })
    }
  }
}

extension PanelOptions {
  /// The configured options.
  public init(_ configuration: DisplayConfiguration) {
    self.init()
    selector = OutputSelector(configuration)
    rotation = configuration.rotation.flatMap { Rotation(rawValue: UInt16(clamping: $0)) }
    size = configuration.size.map { PhysicalSize(width: $0.width, height: $0.height) }
    isFront = configuration.presentation == .front
    commit =
      switch configuration.commit {
      case .automatic: .automatic
      case .atomic: .atomic
      case .legacy: .legacy
      }
  }
}

extension MemoryPanelOptions {
  /// The configured panel in memory.
  init(_ configuration: DisplayConfiguration) {
    self.init(width: configuration.pixels.width, height: configuration.pixels.height)
    rotation = configuration.rotation.flatMap { Rotation(rawValue: UInt16(clamping: $0)) } ?? .none
    size = configuration.size.map { PhysicalSize(width: $0.width, height: $0.height) }
    refreshMilliHertz = configuration.refresh * 1000
    isFront = configuration.presentation == .front
  }
}

extension PanelLocation {
  /// The location of the pad's picture on a pipeline's panel.
  public init(of pipeline: Pipeline, _ configuration: DisplayConfiguration) {
    let options = PanelOptions(configuration)
    let geometry = options.geometry(of: pipeline)
    let scale = geometry.scale(configured: options.size, reported: pipeline.connector.size)
    self.init(
      connector: pipeline.connector.name, width: Float(geometry.width) / scale.x,
      height: Float(geometry.height) / scale.y)
  }

  /// The location of the pad's picture in a survey; nil if no panel fits, or the panel is in memory.
  public init?(in survey: DisplaySurvey, _ configuration: DisplayConfiguration) {
    guard configuration.card != .memory, let pipeline = survey.choice.pipeline else { return nil }
    self.init(of: pipeline, configuration)
  }
}
