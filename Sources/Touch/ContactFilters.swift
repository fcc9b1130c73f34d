internal import Ink

/// Filters for panels that need them: palms by their size, and tslib's, for resistive panels above all, with
/// its names and meanings in its usual order: debounce, pthres, skip, median. They stand between the decoder
/// and the choice of contacts. Nothing is allocated per event.
///
/// Other than in tslib, a contact that is too short for `skip` is still a tap at its last place: the dots
/// of a signature are short.
public struct ContactFilters: ~Copyable {
  /// What is filtered; by default nothing.
  public struct Options: Sendable, Equatable {
    /// A contact that is larger is a palm: for panels that do not tell palms from fingers themselves
    /// (libinput's AttrPalmSizeThreshold). ABS_MT_TOUCH_MAJOR, in device units.
    public var palmSize: Int32?
    /// `debounce drop_threshold`: a contact that begins so soon after another ended is none. Nanoseconds.
    public var dropThreshold: Int64 = 0
    /// `pthres pmin`: lighter is not a touch. In device units.
    public var leastPressure: Int32?
    /// `pthres pmax`: a harder report is noise. In device units.
    public var greatestPressure: Int32?
    /// `skip nhead`: so many reports at the beginning are not believed; 0…8.
    public var skipHead = 0
    /// `skip ntail`: nor so many at the end, so that all come this much later; 0…8.
    public var skipTail = 0
    /// `median depth`: each place is the median of so many, axis by axis; odd, 1…9.
    public var medianDepth = 1

    /// None.
    public init() {}

    /// Whether nothing is filtered.
    public var isNone: Bool { self == Options() }

    /// Inside of what there is room for.
    fileprivate var bounded: Options {
      var options = self
      options.skipHead = min(max(skipHead, 0), ContactFilters.limit)
      options.skipTail = min(max(skipTail, 0), ContactFilters.limit)
      options.medianDepth = min(max(medianDepth, 1), ContactFilters.limit + 1) | 1
      return options
    }
  }

  static let limit = 8

  private let options: Options
  private var lanes: RigidArray<SlotFilter>
  private var output: RigidArray<ContactEvent>

  /// Filters for a device.
  public init(_ options: Options, for device: DeviceDescription) {
    self.options = options.bounded
    let slots: Int
    switch DeviceProtocol(device).multitouch {
    case .none: slots = 1
    // And the pen of the same device.
    case .slots(let count): slots = count + 1
    case .lists: slots = ProtocolAReader.limit + 1
    }
    lanes = RigidArray(capacity: slots)
    for _ in 0..<slots { lanes.append(SlotFilter()) }
    output = RigidArray(capacity: 2 * slots + 64)
  }

  /// What is left of the last frame.
  public var frame: Span<ContactEvent> {
    @_lifetime(borrow self)
    borrowing get { output.span }
  }

  /// Takes in what a frame said.
  public mutating func take(_ frame: Span<ContactEvent>) {
    output.removeAll()
    for index in frame.indices {
      let place = Int(frame[index].place)
      guard place < lanes.count else { continue }
      var lane = lanes[place]
      var event = frame[index]
      if let palm = options.palmSize, let size = event.size, size > palm { event.tool = .palm }
      lane.take(event, options) { _ = output.append($0) }
      lanes[place] = lane
    }
  }
}
