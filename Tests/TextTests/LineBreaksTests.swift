import Testing

@testable import Text

@Suite struct LineBreaksTests {
  private func ends(_ text: String) -> [Int] {
    LineBreaks(text.unicodeScalars.map(\.value)[...], .english).ends
  }

  /// Every code point that Unicode has assigned, by planes of 65,536; of the others those at the ends of a plane
  /// and every 257th.
  static func plane(_ number: UInt32) -> [UInt32] {
    (number << 16..<(number + 1) << 16).filter { number in
      guard let scalar = Unicode.Scalar(number) else { return false }
      let place = number & 0xFFFF
      if place % 257 == 0 || place < 64 || place > 0xFFC0 { return true }
      let category = scalar.properties.generalCategory
      return category != .unassigned && (category != .privateUse || number < 0x10000)
    }
  }

  @Test(arguments: 0...16 as ClosedRange<UInt32>)
  func `every assigned code point has its line breaks, whatever it stands beside`(_ number: UInt32)
  {
    // Twice, and after and before a letter, a blank, a mark and letters of other scripts.
    let beside: [UInt32] = [0x61, 0x20, 0x301, 0x7F72, 0x5D0]
    let scalars = Self.plane(number)
    for start in stride(from: 0, to: scalars.count, by: 1000) {
      var text: [UInt32] = []
      for scalar in scalars[start..<min(start + 1000, scalars.count)] {
        text.append(scalar)
        text.append(scalar)
        for other in beside {
          text.append(other)
          text.append(scalar)
        }
      }
      #expect(LineBreaks(text[...], .english).ends.last == text.count)
    }
  }

  @Test func `a line ends between words and between ideographs, and not within a flag`() {
    #expect(ends("to be") == [3, 5])
    #expect(ends("署名") == [1, 2])
    #expect(ends("Paket 🇩🇪 an") == [6, 9, 11])
  }
}
