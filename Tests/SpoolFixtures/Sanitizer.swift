import CLinux

/// The sanitizer that `make sanitize` has compiled in.
public enum Sanitizer {
  /// Whether there is none: a sanitizer maps terabytes, and has memory and threads of its own.
  public static let isOff = getenv("PARAPH_SANITIZER") == nil
}
