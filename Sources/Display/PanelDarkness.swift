/// Why a panel shows nothing new: each for itself, and all of them must be over before it is lit again.
struct PanelDarkness: OptionSet, Sendable {
  let rawValue: UInt8

  /// The card is gone.
  static let gone = PanelDarkness(rawValue: 1)
  /// Nothing hangs on the connector.
  static let unplugged = PanelDarkness(rawValue: 2)
  /// The console shows another terminal: until it shows ours the card is let alone, even one that returns.
  static let away = PanelDarkness(rawValue: 4)
  /// Switched off to rest.
  static let blank = PanelDarkness(rawValue: 8)
  /// Somebody else is master: asked again each second.
  static let held = PanelDarkness(rawValue: 16)

  /// The reasons for which the connector is not probed.
  static let unprobed: PanelDarkness = [.away, .held, .unplugged, .gone]
}

/// What a panel can do at the moment.
public enum PanelCondition: String, Sendable {
  /// It shows the canvas.
  case lit
  /// It rests in the dark, by `blank()`.
  case blank
  /// Another virtual terminal, or another program, has the card.
  case away
  /// Its cable is out.
  case unplugged
  /// Its card is gone.
  case gone
}
