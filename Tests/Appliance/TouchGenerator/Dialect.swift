import CLinux

/// How a touchscreen made through uinput tells of its fingers: the kinds of devices that there are
/// (kernel: multi-touch-protocol, event-codes).
enum Dialect: String {
  /// Multi-touch protocol B, with the first finger on ABS_X and ABS_Y too.
  case uinput
  /// Protocol B without ABS_X and ABS_Y, as drivers written for Android.
  case bare
  /// Protocol A: every report lists all fingers.
  case lists
  /// One finger: ABS_X, ABS_Y and BTN_TOUCH.
  case single
  /// One finger, and BTN_LEFT: a point-of-sale screen that calls itself a mouse.
  case mouse
  /// One finger, told by its pressure alone.
  case pressure

  var hasFirstFinger: Bool { self != .bare }
  var hasFingers: Bool { self == .uinput || self == .bare || self == .lists }
  var hasSlots: Bool { self == .uinput || self == .bare }

  /// What says that somebody touches.
  var button: Int32? {
    switch self {
    case .uinput, .lists, .single: BTN_TOUCH
    case .mouse: BTN_LEFT
    case .bare, .pressure: nil
    }
  }

  /// A mouse does not lie on its screen.
  var isDirect: Bool { self != .mouse }
}
