import Testing

@testable import Screen

@Suite struct ContrastTests {
  @Test func `contrast is what WCAG says`() {
    // The extremes, and the grey that is the darkest to pass 4.5:1 on white in WCAG's own tutorials.
    #expect(abs(Contrast.ratio(0, 0xFF_FFFF) - 21) < 0.01)
    #expect(abs(Contrast.ratio(0x77_7777, 0xFF_FFFF) - 4.48) < 0.01)
    #expect(abs(Contrast.ratio(0xFF_FFFF, 0x76_7676) - 4.54) < 0.01)
    #expect(abs(Contrast.ratio(0xFF_0000, 0xFF_FFFF) - 4.0) < 0.01)
    #expect(Contrast.ratio(0x12_3456, 0x12_3456) == 1)
  }
}
