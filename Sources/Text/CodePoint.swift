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
