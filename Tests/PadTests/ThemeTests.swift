import Pad
import Testing

@Suite struct ThemeTests {
  /// WCAG 2.2, "contrast ratio".
  func contrast(_ a: UInt32, _ b: UInt32) -> Double {
    func luminance(_ colour: UInt32) -> Double {
      func linear(_ shift: UInt32) -> Double {
        let value = Double(colour >> shift & 0xFF) / 255
        return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
      }
      return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
    }
    let (x, y) = (luminance(a), luminance(b))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  /// x to the power of 2.4: the fifth root of x¹², by Newton's method.
  func power(_ x: Double) -> Double {
    let x12 = (0..<12).reduce(1.0) { product, _ in product * x }
    var root = x
    for _ in 0..<100 where root > 0 {
      root -= (root * root * root * root * root - x12) / (5 * root * root * root * root)
    }
    return root
  }

  @Test func `whatever is to be read has a contrast of seven to one`() {
    let theme = Theme()
    let pairs = [
      (theme.text, theme.ground), (theme.quietText, theme.ground), (theme.warning, theme.ground),
      (theme.ink, theme.ground), (theme.clear.sign, theme.clear.fill),
      (theme.done.sign, theme.done.fill), (theme.cancel.sign, theme.cancel.fill),
      (theme.pressed.sign, theme.pressed.fill), (theme.saved.text, theme.saved.ground),
      (theme.ended.text, theme.ended.ground), (theme.outOfService.text, theme.outOfService.ground),
    ]
    #expect(abs(contrast(0, 0xFF_FFFF) - 21) < 0.01)
    #expect(abs(contrast(0x77_7777, 0xFF_FFFF) - 4.48) < 0.01)
    for (a, b) in pairs {
      #expect(contrast(a, b) >= 7, "\(String(a, radix: 16)) on \(String(b, radix: 16))")
    }
  }
}
