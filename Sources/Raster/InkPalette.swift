/// What a pixel of plain ground looks like for every coverage with ink.
struct InkPalette: BitwiseCopyable {
  let ink: UInt32
  let colours: InlineArray<256, UInt32>

  init(ground: UInt32, ink: UInt32) {
    self.ink = ink
    colours = InlineArray { coverage in
      InkPalette.blend(ground, ink, UInt32(truncatingIfNeeded: coverage))
    }
  }

  /// One colour covered by another, each channel rounded.
  @inline(__always)
  static func blend(_ below: UInt32, _ above: UInt32, _ coverage: UInt32) -> UInt32 {
    let rest = 255 &- coverage
    // Two channels at a time, 16 bits each; the division by 255 is Blinn's.
    var even = (below & 0xFF00FF) &* rest &+ (above & 0xFF00FF) &* coverage &+ 0x800080
    even = ((even &+ ((even &>> 8) & 0xFF00FF)) &>> 8) & 0xFF00FF
    var odd = (below &>> 8 & 0xFF00FF) &* rest &+ (above &>> 8 & 0xFF00FF) &* coverage &+ 0x800080
    odd = (odd &+ ((odd &>> 8) & 0xFF00FF)) & 0xFF00_FF00
    return even | odd
  }
}
