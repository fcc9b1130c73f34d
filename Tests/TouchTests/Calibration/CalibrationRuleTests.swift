import Testing
import Touch

@Suite struct CalibrationRuleTests {
  private func device(_ name: String, _ vendor: UInt16 = 0x0eef) -> DeviceDescription {
    var device = DeviceDescription()
    device.name = name
    device.identity.vendor = vendor
    device.identity.product = 0x7224
    return device
  }

  private let matrix = CalibrationMatrix(1.0125, 0, -0.006_25, -0.000_001, 2, 1)

  @Test func `a rule names its device and sets libinput's property`() {
    #expect(
      CalibrationRule(matrix, for: device("eGalax Inc. USB (touch)")).line
        == "SUBSYSTEM==\"input\", KERNEL==\"event[0-9]*\", ATTRS{name}==\"eGalax Inc. USB (touch)\", "
        + "ATTRS{id/vendor}==\"0eef\", ATTRS{id/product}==\"7224\", "
        + "ENV{LIBINPUT_CALIBRATION_MATRIX}=\"1.012500 0.000000 -0.006250 -0.000001 2.000000 1.000000\""
    )
  }

  @Test(arguments: [
    ("a\"b", "a*b"), ("a*?[b]", "a*b*"), ("Übung\n|$%\\x", "*bung*x"), ("end  ", "end"), ("", ""),
  ]) func `special characters of a pattern are matched by an asterisk`(
    name: String, pattern: String
  ) {
    #expect(
      CalibrationRule(matrix, for: device(name)).line.contains("ATTRS{name}==\"\(pattern)\","))
  }

  @Test func `the rules of other devices stay, and a device has one`() throws {
    let first = try #require(CalibrationRule(matrix, for: device("One")).file(after: nil))
    let both = try #require(
      CalibrationRule(matrix, for: device("Two")).file(after: Array(first.utf8)))
    let again = try #require(
      CalibrationRule(.identity, for: device("One")).file(after: Array(both.utf8)))
    let rules = again.split(separator: "\n").filter { $0.hasPrefix("SUBSYSTEM") }
    #expect(rules.count == 2)
    #expect(rules[0].contains("\"Two\"") && rules[0].contains("1.012500"))
    #expect(rules[1].contains("\"One\"") && rules[1].contains("1.000000 0.000000"))
    #expect(again.split(separator: "\n").count == 6)
    #expect(both.split(separator: "\n").last == "LABEL=\"paraph_calibrate_end\"")
  }

  @Test func `a foreign file is not changed`() {
    let rule = CalibrationRule(matrix, for: device("One"))
    #expect(rule.file(after: Array("KERNEL==\"event*\"\n".utf8)) == nil)
    #expect(rule.file(after: []) != nil)
  }

  @Test(arguments: [
    (CalibrationMatrix.identity, "1.000000 0.000000 0.000000 0.000000 1.000000 0.000000"),
    (
      CalibrationMatrix(-0.5, 1e-9, -1e-9, 123.456_789_4, .nan, 1e300),
      "-0.500000 0.000000 0.000000 123.456789 0.000000 1000000000.000000"
    ),
  ]) func `a matrix is written with six decimals`(matrix: CalibrationMatrix, text: String) {
    #expect(matrix.text == text)
    #expect(CalibrationMatrix(text) != nil)
  }
}
