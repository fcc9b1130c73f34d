internal import CLibharfbuzz

/// What HarfBuzz knows about code points: Swift's own tables are not in the Embedded subset.
enum CodePoint {
  static func script(_ scalar: UInt32) -> hb_script_t {
    unsafe hb_unicode_script(hb_unicode_funcs_get_default(), scalar)
  }

  /// Punctuation, digits and marks, which take the script of what is around them.
  static func isShared(_ script: hb_script_t) -> Bool {
    script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN
  }

  /// A script's four letters of ISO 15924, such as "Latn"; "Zyyy" of what all scripts share.
  static func name(of script: hb_script_t) -> String {
    let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: script.rawValue >> $0) }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Whether a code point belongs to the one before it: combining marks, joiners, variation selectors.
  static func isAttached(_ scalar: UInt32) -> Bool {
    // Hangul's medial vowels and final consonants are letters, but stand on the initial one.
    if scalar >= 0x1160 && scalar <= 0x11FF { return true }
    let category = unsafe hb_unicode_general_category(hb_unicode_funcs_get_default(), scalar)
    return category == HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK
      || category == HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK
      || category == HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK
      || category == HB_UNICODE_GENERAL_CATEGORY_FORMAT
  }

  /// Whether it needs no glyph: joiners, directional marks, variation selectors, tags.
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
