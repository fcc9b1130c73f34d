/// What the pad is, for who asks how it is.
public struct PadInfo: Equatable, Sendable {
  /// The panel that is lit.
  public struct Panel: Equatable, Sendable {
    /// For people.
    public var name: String
    /// In pixels.
    public var width: Int, height: Int
    /// In millimetres.
    public var widthMillimetres: Float, heightMillimetres: Float

    /// A panel.
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
    /// As the kernel names it.
    public var name: String
    /// Why it is not in use; nil: it is.
    public var rejection: String?

    /// An input device.
    public init(node: String, name: String, rejection: String?) {
      self.node = node
      self.name = name
      self.rejection = rejection
    }
  }

  /// From the kernel's time stamp to the glass, in nanoseconds.
  public struct Latency: Equatable, Sendable {
    /// How many were measured.
    public var samples: Int
    /// Half of them were faster; 99 of 100 were; the longest.
    public var p50: Int64, p99: Int64, longest: Int64

    /// Latencies.
    public init(samples: Int, p50: Int64, p99: Int64, longest: Int64) {
      self.samples = samples
      self.p50 = p50
      self.p99 = p99
      self.longest = longest
    }
  }

  /// What manifests name as the device.
  public var device: String
  /// The program's.
  public var version: String
  /// Why the pad is out of service, if it is.
  public var reason: String?
  /// Nil while none is lit.
  public var panel: Panel?
  /// All input devices that were looked at.
  public var touchscreens: [Touchscreen]
  /// Nil before anybody has signed.
  public var latency: Latency?

  /// A pad of which no more is known yet.
  public init(device: String, version: String) {
    self.device = device
    self.version = version
    touchscreens = []
  }
}
