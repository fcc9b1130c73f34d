public import Configuration
public import Display

extension OutputSelector {
  /// What the configuration asks for.
  public init(_ wishes: DisplayConfiguration) {
    self.init(connector: wishes.connector)
    if case .path(let path) = wishes.card { card = path }
    if case .size(let size, let refresh) = wishes.mode {
      mode = ModeRequest(
        width: size.width, height: size.height,
        refreshMilliHertz: refresh.map { Int(($0 * 1000).rounded()) })
    }
  }
}
