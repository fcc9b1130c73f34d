import Testing

@testable import Display

@Suite struct SurveyReaderTests {
  /// A blob with formats, and masks of them for modifiers.
  private func blob(
    _ formats: [UInt32], _ modifiers: [(mask: UInt64, first: UInt32, modifier: UInt64)]
  ) -> [UInt8] {
    var words: [UInt32] = [
      1, 0, UInt32(formats.count), 24, UInt32(modifiers.count), UInt32(24 + 4 * formats.count),
    ]
    words += formats
    for entry in modifiers {
      words += [UInt32(truncatingIfNeeded: entry.mask), UInt32(entry.mask >> 32), entry.first, 0]
      words += [UInt32(truncatingIfNeeded: entry.modifier), UInt32(entry.modifier >> 32)]
    }
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  @Test func `only formats with a linear layout are used`() {
    let data = blob([1, 2, 3], [(0b111, 0, 0x0800_0000_0000_0001), (0b101, 0, 0)])
    #expect(FormatModifiers.linearFormats(data) == [1, 3])
  }

  @Test func `a plane with only compressed formats has no usable format`() {
    #expect(FormatModifiers.linearFormats(blob([1], [(1, 0, 5)])) == [])
  }

  @Test func `masks count from their offset`() {
    let formats = (0..<70).map { UInt32($0) + 100 }
    let data = blob(formats, [(1 << 63, 0, 0), (0b11, 64, 0)])
    #expect(FormatModifiers.linearFormats(data) == [163, 164, 165])
  }

  @Test func `a truncated list, or one with offsets outside, is refused`() {
    let data = blob([1, 2], [(0b11, 0, 0)])
    for length in 0..<data.count {
      #expect(FormatModifiers.linearFormats(Array(data.prefix(length))) == nil)
    }
    #expect(FormatModifiers.linearFormats(blob([1, 2], [(0b100, 0, 0)])) == nil)
    #expect(FormatModifiers.linearFormats(blob([1, 2], [(1, .max, 0)])) == nil)
    var far = data
    far.replaceSubrange(12..<16, with: [255, 255, 255, 255])
    #expect(FormatModifiers.linearFormats(far) == nil)
  }
}
