/// Which calls set modes and frames.
public enum CommitChoice: Sendable, Equatable {
  /// Atomic commits; SETCRTC and PAGE_FLIP where the driver has none or refuses each of them.
  case automatic
  /// Atomic commits only.
  case atomic
  /// SETCRTC and PAGE_FLIP, for drivers whose atomic commits are broken.
  case legacy
}
