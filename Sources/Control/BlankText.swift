/// Recognises texts that show nothing: white space, control and format characters, and others without a shape.
public enum BlankText {
  /// White space, control and format characters, what is ignorable by default (White_Space, Cc, Cf and
  /// Default_Ignorable_Code_Point of Unicode 16), the blank of Braille, and noncharacters, of which a plane's last two are
  /// missing. The properties of the standard library's scalars are not in Embedded Swift. The pattern of a choice in
  /// Sources/web-pages/openapi.json has the same characters.
  private static let ranges: [ClosedRange<UInt32>] = [
    0x0...0x20, 0x7F...0xA0, 0xAD...0xAD, 0x34F...0x34F, 0x600...0x605, 0x61C...0x61C,
    0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x115F...0x1160,
    0x1680...0x1680, 0x17B4...0x17B5, 0x180B...0x180F, 0x2000...0x200F, 0x2028...0x202F,
    0x205F...0x206F, 0x2800...0x2800, 0x3000...0x3000, 0x3164...0x3164, 0xFDD0...0xFDEF,
    0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0x110BD...0x110BD,
    0x110CD...0x110CD, 0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
    0xE0000...0xE0FFF,
  ]

  /// Whether a text consists of such characters alone.
  public static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.value & 0xFFFE == 0xFFFE || ranges.contains { $0.contains(scalar.value) }
    }
  }
}
