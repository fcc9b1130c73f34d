/// Colours of the pad as 0xRRGGBB. Every pair that must be told apart has a contrast of 7:1 or more
/// (WCAG 2.2, 1.4.6), but for what is faint on purpose.
public struct Theme: Equatable, Sendable {
  /// Paper.
  public var ground: UInt32 = 0xFF_FFFF
  /// Ink.
  public var ink: UInt32 = 0x00_0000
  /// The line to sign on and its ×.
  public var line: UInt32 = 0x78_8088
  /// What a button that can be pressed is filled with, and its sign.
  public var clear: (fill: UInt32, sign: UInt32) = (0xE8_ECEF, 0x26_3238)
  /// The same for *Done*.
  public var done: (fill: UInt32, sign: UInt32) = (0x14_532D, 0xFF_FFFF)
  /// A button that would do nothing.
  public var faint: (fill: UInt32, sign: UInt32) = (0xF4_F5F6, 0xC4_CACE)
  /// A button under a finger.
  public var pressed: (fill: UInt32, sign: UInt32) = (0x26_3238, 0xFF_FFFF)
  /// The acknowledgement: paper, disc and check.
  public var saved: (ground: UInt32, disc: UInt32, sign: UInt32) = (0xE3_F4E8, 0xA9_DDB8, 0xFF_FFFF)
  /// Out of service: paper and bar.
  public var outOfService: (ground: UInt32, disc: UInt32, sign: UInt32) = (
    0xF4_F5F6, 0xB3_261E, 0xFF_FFFF
  )

  /// The default colours.
  public init() {}

  /// Equal where all colours are.
  public static func == (a: Theme, b: Theme) -> Bool {
    a.ground == b.ground && a.ink == b.ink && a.line == b.line && a.clear == b.clear
      && a.done == b.done && a.faint == b.faint && a.pressed == b.pressed && a.saved == b.saved
      && a.outOfService == b.outOfService
  }
}
