internal import Configuration
internal import Display

/// Which panel the configuration asks for.
enum PanelSource: Sendable {
  case card(PanelOptions)
  case memory(MemoryPanelOptions)

  init(_ wishes: DisplayConfiguration) {
    let size = wishes.size.map { PhysicalSize(width: $0.width, height: $0.height) }
    let rotation = wishes.rotation.flatMap { Rotation(degrees: $0) }
    guard wishes.card == .memory else {
      var options = PanelOptions()
      options.wishes = PanelWishes(wishes)
      options.rotation = rotation
      options.size = size
      options.isFront = wishes.presentation == .front
      self = .card(options)
      return
    }
    var options = MemoryPanelOptions(width: wishes.pixels.width, height: wishes.pixels.height)
    options.size = size
    options.rotation = rotation ?? .none
    options.refreshMilliHertz = wishes.refresh * 1000
    options.isFront = wishes.presentation == .front
    self = .memory(options)
  }

  func open() throws(DisplayError) -> Panel {
    switch self {
    case .card(let options): try Panel(options)
    case .memory(let options): try Panel(options)
    }
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
