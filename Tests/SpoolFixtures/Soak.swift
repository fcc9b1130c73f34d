import CLinux

/// How long the tests that break things go on: a few rounds in `make test`, all of them in `make soak`,
/// which also prints figures.
public enum Soak {
  /// Whether this is `make soak`.
  public static let isOn = getenv("PARAPH_SOAK") != nil

  /// The number of rounds that is to be made.
  public static func rounds(_ short: Int, full: Int) -> Int { isOn ? full : short }

  /// Prints what was measured.
  public static func figure(_ text: String) {
    if isOn { print("soak: \(text)") }
  }
}
