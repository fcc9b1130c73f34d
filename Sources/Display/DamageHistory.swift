public import Raster

/// What each buffer lacks, and what the kernel has not been told about it.
///
/// With two buffers the one that is painted next was last shown a frame ago: it lacks what changed
/// since, not only what changes now ("buffer age"). FB_DAMAGE_CLIPS speaks of the change since the last
/// commit on the plane, but drivers that upload per buffer need the buffer's own (virtio-gpu, vmwgfx:
/// kernel bug 218115): the union is right for both, and it is what the buffer was last shown without.
public struct DamageHistory: Sendable {
  private struct Debt {
    /// To be painted.
    var unpainted: PixelRegion
    /// Painted or not, since the buffer was last shown.
    var untold: PixelRegion
  }

  private var debts: InlineArray<2, Debt>
  private let whole: PixelRect
  /// One with front-buffer drawing, else two.
  public let buffers: Int

  /// Buffers that hold nothing yet, over `geometry` in panel pixels.
  public init(buffers: Int, panelWidth: Int, panelHeight: Int) {
    precondition((1...2).contains(buffers))
    whole = PixelRect(width: panelWidth, height: panelHeight)
    self.buffers = buffers
    debts = InlineArray(repeating: Debt(unpainted: PixelRegion(whole), untold: PixelRegion(whole)))
  }

  /// Something changed: every buffer lacks it.
  public mutating func add(_ rect: PixelRect) {
    let rect = rect.intersection(whole)
    for index in 0..<buffers {
      debts[index].unpainted.add(rect)
      debts[index].untold.add(rect)
    }
  }

  /// Nothing on the glass or in the buffers is to be relied on.
  public mutating func addAll() { add(whole) }

  /// What must be painted into a buffer before it is shown; it counts as painted from here on.
  public mutating func takeUnpainted(of buffer: Int) -> PixelRegion {
    let region = debts[buffer].unpainted
    debts[buffer].unpainted.clear()
    return region
  }

  /// What the kernel must be told with the buffer. A commit that was refused leaves it as it is.
  public func untold(of buffer: Int) -> PixelRegion { debts[buffer].untold }

  /// The buffer is on its way to the glass.
  public mutating func told(_ buffer: Int) { debts[buffer].untold.clear() }

  /// Whether a buffer lacks something.
  public func isStale(_ buffer: Int) -> Bool { !debts[buffer].unpainted.isEmpty }
}
