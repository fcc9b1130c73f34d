import CLinux

/// The length of fault tests: a few rounds in `make test`, all of them in `make soak`, which also prints figures.
public enum Soak {
  /// Whether `make soak` runs.
  public static let isOn = getenv("PARAPH_SOAK") != nil

  /// The number of rounds.
  public static func rounds(_ short: Int, full: Int) -> Int { isOn ? full : short }

  /// Prints a measured figure.
  public static func figure(_ text: String) {
    if isOn { print("soak: \(text)") }
  }
}
