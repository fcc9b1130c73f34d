/// Recognises texts of white space, control characters, format characters and noncharacters.
public enum BlankText {
  /// White space, control and format characters (White_Space, Cc and Cf of Unicode 16) and noncharacters, of which a
  /// plane's last two are missing. The properties of the standard library's scalars are not in Embedded Swift. The
  /// pattern of a choice in Sources/web-pages/openapi.json has the same characters.
  private static let ranges: [ClosedRange<UInt32>] = [
    0x0...0x20, 0x7F...0xA0, 0xAD...0xAD, 0x600...0x605, 0x61C...0x61C, 0x6DD...0x6DD,
    0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x1680...0x1680, 0x180E...0x180E,
    0x2000...0x200F, 0x2028...0x202F, 0x205F...0x2064, 0x2066...0x206F, 0x3000...0x3000,
    0xFDD0...0xFDEF, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0x110BD...0x110BD, 0x110CD...0x110CD,
    0x13430...0x1343F,
    0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0001...0xE0001, 0xE0020...0xE007F,
  ]

  /// Whether a text consists of such characters alone.
  public static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.value & 0xFFFE == 0xFFFE || ranges.contains { $0.contains(scalar.value) }
    }
  }
}
