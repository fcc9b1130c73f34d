internal import CLibharfbuzz

/// Properties of code points from HarfBuzz's Unicode tables.
enum CodePoint {
  static func script(_ scalar: UInt32) -> hb_script_t {
    unsafe hb_unicode_script(hb_unicode_funcs_get_default(), scalar)
  }

  /// Whether a script is that of punctuation, digits and marks, which take the script of their neighbours.
  static func isShared(_ script: hb_script_t) -> Bool {
    script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN
  }

  /// A script's ISO 15924 code, such as "Latn"; "Zyyy" for shared code points.
  static func name(of script: hb_script_t) -> String {
    let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: script.rawValue >> $0) }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Whether a code point combines with the previous one: marks, joiners, variation selectors.
  static func isAttached(_ scalar: UInt32) -> Bool {
    // Hangul's medial vowels and final consonants are letters that combine with the initial one.
    if scalar >= 0x1160 && scalar <= 0x11FF { return true }
    let category = unsafe hb_unicode_general_category(hb_unicode_funcs_get_default(), scalar)
    return category == HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK
      || category == HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK
      || category == HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK
      || category == HB_UNICODE_GENERAL_CATEGORY_FORMAT
  }

  /// The soft hyphen: a word may break behind it, and shows a hyphen there only if it does.
  static let softHyphen: UInt32 = 0xAD

  /// Whether a code point is an invisible mark, embedding or isolate that directs a text (UAX 9).
  static func isDirectional(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether a code point's script runs from right to left.
  static func isRightToLeft(_ scalar: UInt32) -> Bool {
    hb_script_get_horizontal_direction(script(scalar)) == HB_DIRECTION_RTL
  }

  /// Whether a code point is of a script whose letters form ligatures, but do not join.
  static func isSeparable(_ scalar: UInt32) -> Bool {
    let script = script(scalar)
    return script == HB_SCRIPT_LATIN || script == HB_SCRIPT_GREEK || script == HB_SCRIPT_CYRILLIC
      || script == HB_SCRIPT_ARMENIAN
  }

  /// Whether a code point needs no glyph: joiners, directional marks, variation selectors, tags.
  static func isInvisible(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x00AD, 0x034F, 0x061C, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E,
      0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  static func isSpace(_ scalar: UInt32) -> Bool {
    scalar == 0x20 || scalar == 0x3000 || scalar >= 0x2000 && scalar <= 0x200A
  }
}
