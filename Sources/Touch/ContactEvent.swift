/// What one frame of a device says about one contact.
public struct ContactEvent: BitwiseCopyable, Sendable, Equatable {
  /// What happened to the contact; `paraph contacts` lists it by its raw value.
  public enum Phase: String, CaseIterable, BitwiseCopyable, Sendable {
    /// It is there, and its place is known.
    case down
    /// The device reported on it.
    case move
    /// It is gone.
    case up
    /// It is gone for another reason than being lifted: the device was unplugged, or grabbed by others.
    case cancel
  }

  /// What touches the glass; `paraph watch` lists it by its raw value.
  public enum Tool: String, CaseIterable, BitwiseCopyable, Sendable {
    /// A finger, or whatever the device cannot tell from one.
    case finger
    /// A stylus.
    case pen
    /// A stylus's eraser.
    case eraser
    /// The hand that rests on the glass.
    case palm
    /// A dial or another object.
    case other
  }

  /// What happened.
  public var phase: Phase
  /// What touches.
  public var tool: Tool
  /// The tool is above the glass, not on it (ABS_MT_DISTANCE).
  public var isHovering = false
  /// The contact was there before the device was opened.
  public var isResting = false
  /// Events were lost before this frame: nothing is known of the way here from the last place.
  public var isAfterGap = false
  /// Only of `down`: the frame stated no axis, and what is known of the place is what the contact
  /// before it left. Some single touch panels send the button a frame before the place.
  public var isStale = false
  /// The number of the contact, from 0, in the order in which contacts began.
  public var contact: Int32
  /// Its slot; 0 for single touch and pens.
  public var slot: Int32
  /// Its place in the ledger, which a pen does not share with the finger in slot 0.
  var place: Int32 = 0
  /// When the kernel stamped the frame, in nanoseconds.
  public var time: Int64
  /// When the device measured, where it says so (MSC_TIMESTAMP) and that fits `time`; otherwise `time`.
  public var measured: Int64
  /// The place, in device units; nil only of `up` and `cancel`, where no place was ever stated.
  public var position: RawPosition?
  /// In device units; nil where the device stated none.
  public var pressure: Int32?
  /// What the pen stated above the glass, in device units: one that is worn is never at 0. Nil of fingers.
  public var restPressure: Int32?
  /// ABS_MT_TOUCH_MAJOR, in device units: how large it is; nil where the device stated none.
  public var size: Int32?
  /// It is told on ABS_X, ABS_Y and ABS_PRESSURE by a device that has others for its fingers: their ranges
  /// may differ.
  public var isPoint = false

  /// Whether the contact is gone.
  public var isEnd: Bool { phase == .up || phase == .cancel }
}

/// A place as the device states it.
public struct RawPosition: BitwiseCopyable, Sendable, Equatable {
  /// In device units.
  public var x: Int32, y: Int32

  /// A place in device units.
  public init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}
