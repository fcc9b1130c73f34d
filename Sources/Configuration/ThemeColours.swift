/// The colours of everything the pad shows, as 0xRRGGBB.
///
/// In both built-in sets text has a contrast of at least 7:1 (WCAG 2.2, 1.4.6), except on disabled buttons.
public struct ThemeColours: Equatable, Sendable {
  /// The background.
  public var ground: UInt32
  /// Primary text.
  public var words: UInt32
  /// Secondary text.
  public var quietWords: UInt32
  /// Warning text.
  public var warning: UInt32
  /// The line to sign on and its ×.
  public var line: UInt32
  /// *Clear* and *Undo*.
  public var clear: Button
  /// *Done* and *OK*.
  public var done: Button
  /// *Cancel*.
  public var cancel: Button
  /// A disabled button.
  public var faint: Button
  /// A pressed button.
  public var pressed: Button
  /// The page after a signature is saved.
  public var saved: Notice
  /// The page after a cancellation or the time limit.
  public var ended: Notice
  /// The page *Out of service*.
  public var outOfService: Notice
  /// The ink, unless [ink] colour is set.
  public var ink: UInt32

  /// The colours of a button.
  public struct Button: Equatable, Sendable {
    /// The fill colour.
    public var face: UInt32
    /// The label's colour.
    public var words: UInt32
  }

  /// The colours of a status page.
  public struct Notice: Equatable, Sendable {
    /// The background.
    public var ground: UInt32
    /// The text.
    public var words: UInt32
    /// The disc behind the icon.
    public var disc: UInt32
    /// The icon.
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

  /// Light on nearly black, for dark places.
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

extension ValueType where Value == UInt32 {
  /// A colour "#rrggbb" as 0xRRGGBB.
  static var colour: ValueType {
    ValueType { text throws(Refusal) in
      let digits = text.utf8.dropFirst()
      // The radix parser also accepts a sign.
      guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
        digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
        let value = UInt32(String(Substring(digits)), radix: 16)
      else { throw Refusal("must be #rrggbb, not \"\(text)\"") }
      return value
    }
  }
}

extension ThemeColours {
  init(_ section: Section, _ set: ThemeColours) {
    self = set
    ground = section.value("ground", .colour, default: set.ground)
    words = section.value("words", .colour, default: set.words)
    quietWords = section.value("quiet-words", .colour, default: set.quietWords)
    warning = section.value("warning", .colour, default: set.warning)
    line = section.value("line", .colour, default: set.line)
    clear = section.value("clear", .button, default: set.clear)
    done = section.value("done", .button, default: set.done)
    cancel = section.value("cancel", .button, default: set.cancel)
    faint = section.value("faint", .button, default: set.faint)
    pressed = section.value("pressed", .button, default: set.pressed)
    saved = section.value("saved", .notice, default: set.saved)
    ended = section.value("ended", .notice, default: set.ended)
    outOfService = section.value("out-of-service", .notice, default: set.outOfService)
  }
}

extension ValueType where Value == ThemeColours.Button {
  /// The colours of face and label.
  fileprivate static var button: ValueType {
    ValueType { text throws(Refusal) in
      let colours = try colours(text, 2, "the colours #rrggbb of the face and of its words")
      return ThemeColours.Button(face: colours[0], words: colours[1])
    }
  }
}

extension ValueType where Value == ThemeColours.Notice {
  /// The colours of background, text, disc and icon.
  fileprivate static var notice: ValueType {
    ValueType { text throws(Refusal) in
      let colours = try colours(
        text, 4, "the colours #rrggbb of ground, words, disc and the sign on it")
      return ThemeColours.Notice(
        ground: colours[0], words: colours[1], disc: colours[2], sign: colours[3])
    }
  }
}

/// Parses `count` colours separated by blanks.
private func colours(
  _ text: String, _ count: Int, _ expected: String
) throws(Refusal) -> [UInt32] {
  let words = Words.split(text)
  guard words.count == count else { throw Refusal("must be \(expected), not \"\(text)\"") }
  var colours: [UInt32] = []
  for word in words { colours.append(try ValueType<UInt32>.colour.read(word)) }
  return colours
}
