extension Panel {
  /// The connector's name, for example "DSI-1"; nil of a panel in memory.
  public var connector: String? {
    switch output {
    case .card(let card): card.pipeline.connector.name
    case .memory, .absent: nil
    }
  }

  /// What it is, for logs and manifests: "DSI-1 of vc4", or "memory".
  public var name: String {
    switch output {
    case .card(let card): "\(card.pipeline.connector.name) of \(card.survey.driver)"
    case .memory: "memory"
    case .absent: "no card"
    }
  }
}
