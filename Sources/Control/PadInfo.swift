internal import JSON

/// The reply to GetInfo, without the state.
public struct PadInfo: Equatable, Sendable {
  /// The panel in use.
  public struct Panel: Equatable, Sendable {
    /// The connector and the card.
    public var name: String
    /// The size in pixels.
    public var width: Int, height: Int
    /// The size in millimetres.
    public var widthMillimetres: Float, heightMillimetres: Float

    /// Creates a panel from its parts.
    public init(
      name: String, width: Int, height: Int, widthMillimetres: Float, heightMillimetres: Float
    ) {
      self.name = name
      self.width = width
      self.height = height
      self.widthMillimetres = widthMillimetres
      self.heightMillimetres = heightMillimetres
    }
  }

  /// An input device.
  public struct Touchscreen: Equatable, Sendable {
    /// The device node.
    public var node: String
    /// The kernel's name of it.
    public var name: String
    /// Why it is not in use; nil: it is in use.
    public var rejection: String?

    /// Creates an input device from its parts.
    public init(node: String, name: String, rejection: String?) {
      self.node = node
      self.name = name
      self.rejection = rejection
    }
  }

  /// The time from the kernel's time stamp to the commit, in nanoseconds.
  public struct Latency: Equatable, Sendable {
    /// The number of samples measured.
    public var samples: Int
    /// The median, the 99th percentile and the maximum.
    public var p50: Int64, p99: Int64, longest: Int64

    /// Creates a latency from its parts.
    public init(samples: Int, p50: Int64, p99: Int64, longest: Int64) {
      self.samples = samples
      self.p50 = p50
      self.p99 = p99
      self.longest = longest
    }
  }

  /// Which side has the panel. The raw value is its name in the interface.
  public enum Side: String, Sendable {
    /// The pad.
    case pad
    /// The program on the other virtual terminal.
    case other
    /// Neither: the panel is being handed over.
    case neither
  }

  /// The device name in manifests.
  public var device: String
  /// The version of the program.
  public var version: String
  /// Why the pad is out of service; nil: it is in service.
  public var reason: String?
  /// The panel in use; nil: none.
  public var panel: Panel?
  /// All input devices as last listed, used or not.
  public var touchscreens: [Touchscreen]
  /// The latency on this panel; nil before the first stroke.
  public var latency: Latency?
  /// Which side has the panel.
  public var foreground = Side.pad

  /// Creates the information of a pad that has no panel yet.
  public init(device: String, version: String) {
    self.device = device
    self.version = version
    touchscreens = []
  }
}

extension PadInfo {
  /// The parameters of the reply to GetInfo.
  func members(_ state: PadState, isUnsaved: Bool) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("device", .text(device)), ("version", .text(version)), ("state", .text(state.rawValue)),
    ]
    if let reason { members.append(("reason", .text(reason))) }
    members.append(("unsaved", .flag(isUnsaved)))
    if let panel { members.append(("panel", panel.json)) }
    members.append(("touchscreens", .array(touchscreens.map { $0.json })))
    if let latency { members.append(("latency", latency.json)) }
    members.append(("foreground", .text(foreground.rawValue)))
    return members
  }
}

extension PadInfo.Panel {
  fileprivate var json: JSONValue {
    .object([
      ("name", .text(name)), ("width", .integer(width)), ("height", .integer(height)),
      ("width_mm", .real(Double(widthMillimetres))),
      ("height_mm", .real(Double(heightMillimetres))),
    ])
  }
}

extension PadInfo.Touchscreen {
  fileprivate var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("node", .text(node)), ("name", .text(name)), ("in_use", .flag(rejection == nil)),
    ]
    if let rejection { members.append(("reason", .text(rejection))) }
    return .object(members)
  }
}

extension PadInfo.Latency {
  fileprivate var json: JSONValue {
    .object([
      ("samples", .integer(samples)), ("p50", .integer(p50 / 1000)),
      ("p99", .integer(p99 / 1000)), ("longest", .integer(longest / 1000)),
    ])
  }
}
