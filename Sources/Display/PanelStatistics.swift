/// What a panel has done since it was lit. The counters only grow: on a board of 32 bits, an `Int` of bytes is
/// full after 2 GiB.
public struct PanelStatistics: Sendable {
  /// Frames shown (flips, or front-buffer updates).
  public internal(set) var frames: Int64 = 0
  /// Bytes written to buffers that are scanned out.
  public internal(set) var bytesWritten: Int64 = 0
  /// Flips that came a frame later than aimed at.
  public internal(set) var missedFlips: Int64 = 0
  /// How long before a vblank a frame is committed now, in nanoseconds: it grows where flips are missed.
  public internal(set) var lead = FramePacer.baseLead
  /// Flips whose event never came.
  public internal(set) var lostFlips: Int64 = 0
  /// Commits that met an older one (EBUSY).
  public internal(set) var busyCommits: Int64 = 0
  /// Times the mode was set.
  public internal(set) var modeSets: Int64 = 0
  /// Samples that arrived more than 2 ms before a flip and were not in it.
  public internal(set) var lateSamples: Int64 = 0
  /// From a sample's kernel stamp to the commit that carries it.
  public internal(set) var stampToCommit = LatencyHistogram()
  /// From a sample's kernel stamp to the flip that shows it, where the driver tells.
  public internal(set) var stampToFlip = LatencyHistogram()

  /// Nothing done yet.
  public init() {}
}
