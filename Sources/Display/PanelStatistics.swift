/// What a panel has done since it was lit.
public struct PanelStatistics: Sendable {
  /// Frames shown (flips, or front-buffer updates).
  public internal(set) var frames = 0
  /// Bytes written to buffers that are scanned out.
  public internal(set) var bytesWritten = 0
  /// Flips that came a frame later than aimed at.
  public internal(set) var missedFlips = 0
  /// How long before a vblank a frame is committed now, in nanoseconds: it grows where flips are missed.
  public internal(set) var lead = FramePacer.baseLead
  /// Flips whose event never came.
  public internal(set) var lostFlips = 0
  /// Commits that met an older one (EBUSY).
  public internal(set) var busyCommits = 0
  /// Times the mode was set.
  public internal(set) var modeSets = 0
  /// Samples that arrived more than 2 ms before a flip and were not in it.
  public internal(set) var lateSamples = 0
  /// From a sample's kernel stamp to the commit that carries it.
  public internal(set) var stampToCommit = LatencyHistogram()
  /// From a sample's kernel stamp to the flip that shows it, where the driver tells.
  public internal(set) var stampToFlip = LatencyHistogram()

  /// Nothing done yet.
  public init() {}
}
