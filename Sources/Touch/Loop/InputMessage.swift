/// What the input thread is told.
public enum InputMessage: Sendable {
  /// Answer that the thread is alive.
  case heartbeat
  /// The picture has another size, in millimetres as it is seen, or lies otherwise in the panel, or on another
  /// one.
  case glass(width: Float, height: Float, quarterTurns: Int, panel: PanelLocation? = nil)
  /// Grab the devices, or release them to other programs; answered by `grabbed`. They start grabbed.
  case grab(Bool)
  /// End; contacts that are down are cancelled.
  case stop
}

/// What the input thread has to tell. Lines are whole sentences for the log, and name the culprit.
public enum InputNotice: Sendable, Equatable {
  /// It is alive.
  case alive
  /// All devices are grabbed, or all are released, as the message asked for.
  case grabbed(Bool)
  /// A device draws now.
  case opened(line: String)
  /// A device is gone.
  case lost(line: String)
  /// No device draws, and why.
  case waiting(line: String)
  /// Something is odd, and the pad goes on.
  case warning(line: String)
  /// The recording is at its end.
  case played
}
