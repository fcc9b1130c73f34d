/// The colours of what the pad shows, as 0xRRGGBB. In both sets that the pad brings, whatever is to be
/// read has a contrast of 7:1 or more (WCAG 2.2, 1.4.6), but for what is faint on purpose.
public struct ThemeColours: Equatable, Sendable {
  /// Paper.
  public var ground: UInt32
  /// Words on paper.
  public var words: UInt32
  /// Words of less weight.
  public var quietWords: UInt32
  /// Words that ask for another try.
  public var warning: UInt32
  /// The line to sign on and its ×.
  public var line: UInt32
  /// *Clear* and *Undo*.
  public var clear: Button
  /// *Done* and *OK*.
  public var done: Button
  /// *Cancel*.
  public var cancel: Button
  /// A button that would do nothing.
  public var faint: Button
  /// A button under a finger.
  public var pressed: Button
  /// The acknowledgement.
  public var saved: Notice
  /// Cancelled, or too late.
  public var ended: Notice
  /// Out of service.
  public var outOfService: Notice
  /// Ink, where the configuration does not name its colour.
  public var ink: UInt32

  /// A button, and what stands on it.
  public struct Button: Equatable, Sendable {
    /// What it is filled with.
    public var face: UInt32
    /// Its word and its sign.
    public var words: UInt32
  }

  /// A picture that says one thing.
  public struct Notice: Equatable, Sendable {
    /// Paper.
    public var ground: UInt32
    /// Words on it.
    public var words: UInt32
    /// What the sign stands on.
    public var disc: UInt32
    /// The sign.
    public var sign: UInt32
  }

  /// Dark on white.
  public static let light = ThemeColours(
    ground: 0xFF_FFFF, words: 0x1F_2A30, quietWords: 0x46_525A, warning: 0x8C_1D18,
    line: 0x78_8088,
    clear: Button(face: 0xE8_ECEF, words: 0x26_3238),
    done: Button(face: 0x14_532D, words: 0xFF_FFFF),
    cancel: Button(face: 0xFB_E9E7, words: 0x80_1710),
    faint: Button(face: 0xF4_F5F6, words: 0xC4_CACE),
    pressed: Button(face: 0x26_3238, words: 0xFF_FFFF),
    saved: Notice(ground: 0xE3_F4E8, words: 0x0F_3D22, disc: 0xA9_DDB8, sign: 0xFF_FFFF),
    ended: Notice(ground: 0xF4_F5F6, words: 0x1F_2A30, disc: 0x45_5A64, sign: 0xFF_FFFF),
    outOfService: Notice(ground: 0xF4_F5F6, words: 0x1F_2A30, disc: 0xB3_261E, sign: 0xFF_FFFF),
    ink: 0x00_0000)

  /// Light on nearly black, for where it is dark.
  public static let dark = ThemeColours(
    ground: 0x11_181D, words: 0xF1_F5F7, quietWords: 0xB6_C2C9, warning: 0xFF_B4AB,
    line: 0x7C_8A93,
    clear: Button(face: 0x2A_353C, words: 0xEC_F1F4),
    done: Button(face: 0x9B_DFB2, words: 0x05_2914),
    cancel: Button(face: 0x42_1C1A, words: 0xFF_C9C2),
    faint: Button(face: 0x1B_2429, words: 0x4C_5962),
    pressed: Button(face: 0xF1_F5F7, words: 0x11_181D),
    saved: Notice(ground: 0x0C_2A18, words: 0xD3_F5DE, disc: 0x1D_5A35, sign: 0x0C_2A18),
    ended: Notice(ground: 0x1B_2429, words: 0xF1_F5F7, disc: 0x8D_A1AC, sign: 0x11_181D),
    outOfService: Notice(ground: 0x1B_2429, words: 0xF1_F5F7, disc: 0xF2_8B82, sign: 0x11_181D),
    ink: 0xF5_F8FA)
}
