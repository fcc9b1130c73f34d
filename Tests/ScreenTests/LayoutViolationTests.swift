import Configuration
import Ink
import Testing

@testable import Screen

@Suite struct LayoutViolationTests {
  func violation(_ glass: Point, _ change: (inout LayoutOptions) -> Void) -> String? {
    var options = LayoutOptions()
    change(&options)
    return LayoutViolation.first(of: options, on: glass, undo: true)?.text
  }

  @Test func `a position that breaks a rule is refused with its key, the glass and the remedy`() {
    let (small, large) = (Point(70.5, 52.9), Point(217, 136))
    #expect(
      violation(small) { $0.lineHeight = 38 }
        == "config: [theme] line-height: on a glass of 71 × 53 mm there is no room for the words above"
        + " the line: make it smaller, or auto")
    #expect(
      violation(small) { $0.lineHeight = 60 }
        == "config: [theme] line-height: on a glass of 71 × 53 mm there is no room for the words above"
        + " the line: make it smaller, or auto")
    #expect(
      violation(small) { $0.buttonHeight = 30 }
        == "config: [theme] button-height: on a glass of 71 × 53 mm less than half is left to sign on:"
        + " make it smaller, or auto")
    #expect(
      violation(small) { $0.buttonHeight = 60 }
        == "config: [theme] button-height: on a glass of 71 × 53 mm a button extends beyond the glass:"
        + " make it smaller, or auto")
    #expect(
      violation(small) { $0.margin = 12 }?.hasPrefix(
        "config: [theme] margin: on a glass of 71 × 53 mm the smaller side of a button is ") == true
    )
    #expect(
      violation(small) { $0.wordsSize = 9 }
        == "config: [theme] words-size: on a glass of 71 × 53 mm there is no room for the words above"
        + " the line: make it smaller, or auto")
    #expect(
      violation(Point(70, 40)) { $0.buttons = .left }?.hasPrefix(
        "config: [theme] buttons: on a glass of 70 × 40 mm the smaller side of a button is ")
        == true)
    #expect(
      violation(large) { $0.logo = .init(.topLeft, size: Point(300, 20)) }
        == "config: [theme] logo-size: on a glass of 217 × 136 mm the logo extends beyond the signing"
        + " area: make it smaller, or choose another logo-place")
  }

  /// The severity and the text of what a glass without *Undo* has too little room for.
  func problem(_ glass: Point, _ options: LayoutOptions) throws -> (
    severity: ConfigurationProblem.Severity, text: String
  ) {
    let violation = try #require(LayoutViolation.first(of: options, on: glass, undo: false))
    return (violation.severity, violation.text)
  }

  @Test func `buttons that are too small only with a document are a warning, with the remedy`()
    throws
  {
    var options = LayoutOptions()
    options.buttons = .left
    let low = try problem(Point(70, 46), options)
    #expect(low.severity == .warning)
    #expect(
      low.text
        == "config: [theme] buttons: on a glass of 70 × 46 mm with a document the smaller side of a"
        + " button is 8.5 mm; the minimum is 9 mm: choose another side")
    options.isLarge = true
    let large = try problem(Point(70.5, 52.9), options)
    #expect(large.severity == .warning)
    #expect(
      large.text
        == "config: [text] size: on a glass of 71 × 53 mm with a document the smaller side of a button"
        + " is 9.9 mm; the minimum is 12 mm: make it normal")
  }

  @Test func `buttons that are too small without a document, too, are an error`() throws {
    var options = LayoutOptions()
    options.buttons = .left
    let problem = try problem(Point(70, 30), options)
    #expect(problem.severity == .error && !problem.text.contains("document"))
  }

  @Test func `no key is blamed on a glass that is too narrow for the default positions`() throws {
    let problem = try problem(Point(43, 58), LayoutOptions())
    #expect(problem.severity == .warning)
    #expect(
      problem.text
        == "config: [theme] positions: on a glass of 43 × 58 mm with a document the smaller side of a"
        + " button is 7.8 mm; the minimum is 9 mm")
  }
}
