extension Canvas {
  /// Has the kernel give the memory for ink that will be seen in a rectangle: `InkPlanes.prefault`.
  public mutating func prefault(_ rect: PixelRect) {
    InkTiles.forEach(in: rect.intersection(self.rect), columns: ground.columns) { index in
      inked.prefault(index)
    }
  }
}
