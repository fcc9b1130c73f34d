import Testing

@testable import Ink

@Suite struct WidthLawTests {
  /// Millimetres per tick of so many points in a sixtieth of a second, at 163 points an inch.
  private func pace(points: Float) -> Float { points * UberSignature.pointSize * 60 / 100 }

  @Test(arguments: [Float(0), 10, 25, 49, 50, 80])
  func `at 60 Hz and 163 dpi it is UberSignature's weight and outline stroke`(points: Float) {
    let width = WidthLaw.width(pace: pace(points: points), pressure: -1)
    let published =
      UberSignature.weight(distance: points * UberSignature.pointSize) + UberSignature.outlineStroke
    #expect(abs(width - published) < 1e-4)
  }

  @Test func `ink is narrowest from 467 mm a second`() {
    #expect(WidthLaw.width(pace: 4.68, pressure: -1) == WidthLaw.narrowest)
    #expect(WidthLaw.width(pace: 4.60, pressure: -1) > WidthLaw.narrowest)
  }

  @Test func `pressure stays within the range`() {
    #expect(WidthLaw.width(pace: 9, pressure: 0) == WidthLaw.narrowest)
    #expect(WidthLaw.width(pace: 0, pressure: 1) == WidthLaw.widest)
  }
}
