extension InkPlanes {
  /// Has the kernel give the memory for ink that comes near the tail, so that the next outlines need not wait
  /// for it: the first write to a page takes longer than all else that a sample costs.
  ///
  /// - Returns: The rectangle in whose tiles that was done now; empty where it was done before.
  public mutating func prefault() -> PixelRect {
    guard !tailBounds.isEmpty else { return .empty }
    // A hasty hand has a long tail, and goes on as fast.
    let reach = Int32(max(tailBounds.width, tailBounds.height) + InkTiles.height) / 2
    let near = PixelRect(
      tailBounds.x0 - reach, tailBounds.y0 - reach, tailBounds.x1 + reach, tailBounds.y1 + reach
    ).intersection(PixelRect(width: width, height: height))
    guard near.union(prefaulted) != prefaulted else { return .empty }
    prefaulted = near
    tiles.prefault(in: near)
    return near
  }
}
