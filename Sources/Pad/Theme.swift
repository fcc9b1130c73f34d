/// Colours of the pad as 0xRRGGBB. Every pair that must be told apart has a contrast of 7:1 or more
/// (WCAG 2.2, 1.4.6), but for what is faint on purpose.
public struct Theme: Equatable, Sendable {
  /// Paper.
  public var ground: UInt32 = 0xFF_FFFF
  /// Ink.
  public var ink: UInt32 = 0x00_0000
  /// Words on paper.
  public var text: UInt32 = 0x1F_2A30
  /// Words of less weight.
  public var quietText: UInt32 = 0x46_525A
  /// Words that ask for another try.
  public var warning: UInt32 = 0x8C_1D18
  /// The line to sign on and its ×.
  public var line: UInt32 = 0x78_8088
  /// What a button that can be pressed is filled with, and its sign.
  public var clear: (fill: UInt32, sign: UInt32) = (0xE8_ECEF, 0x26_3238)
  /// The same for *Done* and *OK*.
  public var done: (fill: UInt32, sign: UInt32) = (0x14_532D, 0xFF_FFFF)
  /// The same for *Cancel*.
  public var cancel: (fill: UInt32, sign: UInt32) = (0xFB_E9E7, 0x80_1710)
  /// A button that would do nothing.
  public var faint: (fill: UInt32, sign: UInt32) = (0xF4_F5F6, 0xC4_CACE)
  /// A button under a finger.
  public var pressed: (fill: UInt32, sign: UInt32) = (0x26_3238, 0xFF_FFFF)
  /// The acknowledgement: paper, disc, its sign, and words.
  public var saved: Notice = Notice(
    ground: 0xE3_F4E8, disc: 0xA9_DDB8, sign: 0xFF_FFFF, text: 0x0F_3D22)
  /// Cancelled, or too late.
  public var ended: Notice = Notice(
    ground: 0xF4_F5F6, disc: 0x45_5A64, sign: 0xFF_FFFF, text: 0x1F_2A30)
  /// Out of service.
  public var outOfService: Notice = Notice(
    ground: 0xF4_F5F6, disc: 0xB3_261E, sign: 0xFF_FFFF, text: 0x1F_2A30)

  /// Colours of a picture that says one thing.
  public struct Notice: Equatable, Sendable {
    /// Paper.
    public var ground: UInt32
    /// What the sign stands on.
    public var disc: UInt32
    /// The sign.
    public var sign: UInt32
    /// Words.
    public var text: UInt32

    /// Colours as 0xRRGGBB.
    public init(ground: UInt32, disc: UInt32, sign: UInt32, text: UInt32) {
      self.ground = ground
      self.disc = disc
      self.sign = sign
      self.text = text
    }
  }

  /// The default colours.
  public init() {}

  /// Equal where all colours are.
  public static func == (a: Theme, b: Theme) -> Bool {
    a.ground == b.ground && a.ink == b.ink && a.text == b.text && a.quietText == b.quietText
      && a.warning == b.warning && a.line == b.line && a.clear == b.clear && a.done == b.done
      && a.cancel == b.cancel && a.faint == b.faint && a.pressed == b.pressed
      && a.saved == b.saved && a.ended == b.ended && a.outOfService == b.outOfService
  }
}
