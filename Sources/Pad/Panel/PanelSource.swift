public import Configuration
public import Display

/// Which panel the configuration asks for, and how it is opened.
struct PanelSource: Sendable {
  /// Opens it on the thread that will own it.
  let open: @Sendable () throws(DisplayError) -> Panel

  init(open: @escaping @Sendable () throws(DisplayError) -> Panel) { self.open = open }

  init(_ wishes: DisplayConfiguration) {
    if wishes.card == .memory {
      let options = MemoryPanelOptions(wishes)
      open = { () throws(DisplayError) in try Panel(options) }
    } else {
      let options = PanelOptions(wishes)
      open = { () throws(DisplayError) in try Panel(options) }
    }
  }
}

extension PanelOptions {
  /// What the configuration asks for.
  public init(_ wishes: DisplayConfiguration) {
    self.init()
    selector = OutputSelector(wishes)
    rotation = wishes.rotation.flatMap { Rotation(degrees: $0) }
    size = wishes.size.map { PhysicalSize(width: $0.width, height: $0.height) }
    isFront = wishes.presentation == .front
    commit =
      switch wishes.commit {
      case .automatic: .automatic
      case .atomic: .atomic
      case .legacy: .legacy
      }
  }
}

extension MemoryPanelOptions {
  init(_ wishes: DisplayConfiguration) {
    self.init(width: wishes.pixels.width, height: wishes.pixels.height)
    rotation = wishes.rotation.flatMap { Rotation(degrees: $0) } ?? .none
    size = wishes.size.map { PhysicalSize(width: $0.width, height: $0.height) }
    refreshMilliHertz = wishes.refresh * 1000
    isFront = wishes.presentation == .front
  }
}

extension Rotation {
  /// Clockwise.
  var quarterTurns: Int {
    switch self {
    case .none: 0
    case .clockwise90: 1
    case .half: 2
    case .clockwise270: 3
    }
  }

  /// Degrees clockwise: 0, 90, 180 or 270.
  init?(degrees: Int) {
    switch degrees {
    case 0: self = .none
    case 90: self = .clockwise90
    case 180: self = .half
    case 270: self = .clockwise270
    default: return nil
    }
  }
}
