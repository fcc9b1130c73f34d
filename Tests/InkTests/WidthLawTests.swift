import Testing

@testable import Ink

@Suite struct WidthLawTests {
  /// Millimetres per tick of so many points in a sixtieth of a second, at 163 points an inch.
  private func pace(points: Float) -> Float { points * UberSignature.pointSize * 60 / 100 }

  @Test(arguments: [Float(0), 10, 25, 49, 50, 80])
  func `at 60 Hz and 163 dpi it is UberSignature's weight and outline stroke`(points: Float) {
    let width = WidthLaw.standard.width(speed: pace(points: points), pressure: -1)
    let published =
      UberSignature.weight(distance: points * UberSignature.pointSize) + UberSignature.outlineStroke
    #expect(abs(width - published) < 1e-4)
  }

  @Test func `ink is narrowest from 467 mm a second`() {
    #expect(WidthLaw.standard.width(speed: 4.68, pressure: -1) == WidthLaw.standard.narrowest)
    #expect(WidthLaw.standard.width(speed: 4.60, pressure: -1) > WidthLaw.standard.narrowest)
  }

  @Test func `ink of other widths reaches them at the same speeds`() {
    let law = WidthLaw(narrowest: 0.2, widest: 2)
    #expect(law.width(speed: 0, pressure: -1) == 2)
    #expect(
      law.width(speed: 4.68, pressure: -1) == 0.2 && law.width(speed: 4.60, pressure: -1) > 0.2)
    #expect(abs(law.width(speed: 2.3377, pressure: -1) - 1.1) < 0.01)
    let even = WidthLaw(narrowest: 0.8, widest: 0.8)
    for pace in [0, 1, 9] as [Float] { #expect(even.width(speed: pace, pressure: -1) == 0.8) }
  }

  @Test func `a dot is UberSignature's, and of other widths as far between them`() {
    #expect(abs(WidthLaw.standard.dot - 7 * UberSignature.pointSize) < 1e-6)
    #expect(abs(WidthLaw(narrowest: 1, widest: 2).dot - 1.8) < 1e-6)
  }

  @Test(arguments: [0.5, 2, 3.5] as [Float])
  func `on an even way ink is as wide as its pace says`(pace: Float) {
    let drawn = DrawnStroke(DuctusTests.line((0..<40).map { (Float($0) * pace, 0) }))
    let expected = WidthLaw.standard.width(speed: pace, pressure: -1)
    let widths = drawn.segments.dropFirst(20).filter { $0.shape == .cubic }.map(\.p3.weight)
    #expect(widths.count > 10 && widths.allSatisfy { abs($0 / expected - 1) < 0.002 })
  }

  @Test func `pressure stays within the range`() {
    #expect(WidthLaw.standard.width(speed: 9, pressure: 0) == WidthLaw.standard.narrowest)
    #expect(WidthLaw.standard.width(speed: 0, pressure: 1) == WidthLaw.standard.widest)
  }
}
