extension Panel {
  /// What a memory panel shows, pixel by pixel in its scan-out, XRGB8888; nil for a card's panel, whose
  /// memory is not read.
  public func picture() -> PanelPicture? {
    guard case .memory(let memory) = output else { return nil }
    let (width, height) = (geometry.panelWidth, geometry.panelHeight)
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width { pixels.append(memory.pixel(x, y)) }
    }
    return PanelPicture(width: width, height: height, pixels: pixels)
  }
}

/// What a panel shows.
public struct PanelPicture: Sendable, Equatable {
  /// In pixels.
  public let width: Int, height: Int
  /// 0xFFRRGGBB, row by row.
  public let pixels: [UInt32]
}
