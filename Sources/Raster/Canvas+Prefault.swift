extension Canvas {
  /// Has the kernel give the memory for ink that will be seen in a rectangle: `InkPlanes.prefault`.
  public mutating func prefault(_ rect: PixelRect) {
    // A tile of ink is half a tile of the picture.
    InkTiles.forEach(in: rect.intersection(self.rect), columns: 2 * ground.columns) { half in
      inked.prefault(half / 2)
    }
  }
}
