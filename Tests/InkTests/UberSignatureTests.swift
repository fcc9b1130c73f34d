import Testing

@testable import Ink

@Suite struct UberSignatureTests {
  @Test func `a tap is a dot of 7 pt`() {
    var model = StrokeModel(.uberSignature)
    var ink = StrokeInk()
    model.begin(at: Sample(time: 0, position: Point(10, 10)), into: &ink)
    #expect(ink.provisional.count == 1)
    #expect(ink.provisional[0].shape == .dot)
  }
}
