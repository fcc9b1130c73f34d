extension Canvas {
  /// Has the kernel give the memory for ink that will be seen in a rectangle: `InkPlanes.prefault`.
  public mutating func prefault(_ rect: PixelRect) {
    let inside = rect.intersection(self.rect)
    guard !inside.isEmpty else { return }
    for row in Int(inside.y0 >> 5)...Int((inside.y1 - 1) >> 5) {
      for column in Int(inside.x0 >> 5)...Int((inside.x1 - 1) >> 5) {
        inked.prefault(row * ground.columns + column)
      }
    }
  }
}
