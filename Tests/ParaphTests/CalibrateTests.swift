import PNG
import Testing

/// `paraph calibrate` and `paraph watch --draw` with the panel in memory and a recorded hand.
@Suite struct CalibrateTests {
  /// Touches the targets of a panel whose glass is skewed, or other places.
  private func recording(
    _ targets: [(Double, Double)] = [
      (0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88), (0.5, 0.5), (0.3, 0.7), (0.7, 0.3),
    ]
  ) -> String {
    var text = """
      N: Skewed panel
      I: 0018 1209 0001 0000
      P: 02 00 00 00 00 00 00 00
      A: 00 0 4095 0 0 0
      A: 01 0 4095 0 0 0

      """
    var time = 0
    func line(_ type: Int, _ code: String, _ value: Int) {
      let digits = "\(1_000_000 + time % 1_000_000)".dropFirst()
      text += "E: \(1 + time / 1_000_000).\(digits) 000\(type) \(code) \(value)\n"
    }
    for (x, y) in targets {
      line(3, "0000", Int((0.05 + 0.9 * x + 0.02 * y) * 4096))
      line(3, "0001", Int((0.97 - 0.01 * x - 0.93 * y) * 4096))
      line(1, "014a", 1)
      line(0, "0000", 0)
      time += 30_000
      line(1, "014a", 0)
      line(0, "0000", 0)
      time += 5000
    }
    return text
  }

  private func configuration(_ folder: Folder, _ recording: String, more: String = "") throws
    -> String
  {
    let path = try folder.file("recording", recording)
    return try folder.file(
      "conf",
      """
      [touch]
      recording = \(path)
      \(more)
      [display]
      card = memory
      pixels = 400x240
      size = 154x86
      picture = \(folder.path("picture.png"))
      """)
  }

  @Test func `touches on the targets give the matrix, and the rule of the device`() throws {
    let folder = try Folder()
    let conf = try configuration(folder, recording())
    let rules = folder.path("rules")
    let result = try Tool.run("calibrate", "--config", conf, "--output", rules)
    #expect(result.status == 0, "\(result.error)")
    let prefix = "LIBINPUT_CALIBRATION_MATRIX=\""
    #expect(result.output.hasPrefix(prefix) && result.output.hasSuffix("\"\n"))
    let numbers = result.output.dropFirst(prefix.count).dropLast(2).split(separator: " ")
      .compactMap { Double($0) }
    // The inverse of the skew.
    let expected = [1.1113, 0.0239, -0.0788, -0.0119, -1.0755, 1.0439]
    #expect(numbers.count == 6)
    for (number, right) in zip(numbers, expected) { #expect(abs(number - right) < 0.002) }
    let text = String(decoding: try folder.bytes("rules"), as: UTF8.self)
    #expect(text.contains("ATTRS{name}==\"Skewed panel\""))
    #expect(text.contains(result.output.dropFirst("LIBINPUT_CALIBRATION_MATRIX=".count).dropLast()))
    #expect(try folder.bytes("picture.png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let lines = result.error.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].contains("0.0 mm") && lines[2].contains("udevadm"))
  }

  @Test func `a large foreign file is not replaced`() throws {
    let folder = try Folder()
    let conf = try configuration(folder, recording())
    let rules = try folder.file("rules", String(repeating: "# rule\n", count: 300_000))
    let result = try Tool.run("calibrate", "--config", conf, "--output", rules)
    #expect(result.isMistake(73), "\(result)")
    #expect(try folder.bytes("rules").count == 2_100_000)
  }

  @Test func `a missing touchscreen is reported instead of a missing folder`()
    throws
  {
    let folder = try Folder()
    let conf = try folder.file(
      "conf", "[display]\ncard = memory\n[touch]\ndevice = \(folder.path("none"))\n")
    let result = try Tool.run("calibrate", "-c", conf, "-o", folder.path("none/rules"))
    #expect(result.isMistake(69) && result.error.contains("no usable touchscreen"), "\(result)")
    let played = try configuration(folder, recording())
    let missing = try Tool.run("calibrate", "-c", played, "-o", folder.path("none/rules"))
    #expect(
      missing.isMistake(73) && missing.error.contains("\(folder.path("none")): no such folder"),
      "\(missing)")
  }

  /// systemd has it from 254 on.
  static let verifiesRules = (try? Tool.run(program: "udevadm", "verify", "--help").status) == 0

  @Test(.enabled(if: verifiesRules, "needs a udevadm that verifies rules"))
  func `udev accepts the rule`() throws {
    let folder = try Folder()
    let conf = try configuration(
      folder, recording().replacing("Skewed panel", with: "Odd \"panel\" [%s]|$"))
    let rules = folder.path("99-rules.rules")
    for _ in 0..<2 {
      #expect(try Tool.run("calibrate", "--config", conf, "--output", rules).status == 0)
    }
    let verdict = try Tool.run(program: "udevadm", "verify", rules)
    #expect(verdict.status == 0, "\(verdict.error)")
  }

  @Test func `touches off the targets give no matrix, and nothing is written`() throws {
    let folder = try Folder()
    let wrong = [(0.1, 0.1), (0.2, 0.8), (0.9, 0.3), (0.5, 0.6), (0.8, 0.9)]
    let conf = try configuration(folder, recording(wrong + wrong + wrong))
    let result = try Tool.run("calibrate", "-c", conf, "-o", folder.path("rules"))
    #expect(result.status == 65 && result.output.isEmpty)
    #expect(result.error.split(separator: "\n").count == 3)
    #expect(result.error.contains("three times"))
    #expect(try !folder.names().contains("rules"))
  }

  @Test func `a time-out names the next target`() throws {
    let folder = try Folder()
    let conf = try configuration(folder, recording([(0.12, 0.12), (0.88, 0.12)]))
    let result = try Tool.run("calibrate", "-c", conf, "-o", folder.path("rules"))
    #expect(result.isMistake(2) && result.error.contains("target 3"))
  }

  @Test func `mistakes are reported before anybody has to touch`() throws {
    let folder = try Folder()
    let conf = try configuration(folder, recording())
    let other = try folder.file("other.rules", "KERNEL==\"event*\"\n")
    #expect(try Tool.run("calibrate", "-c", conf, "-o", other).isMistake(73))
    #expect(try Tool.run("calibrate", "-c", conf, "-o", folder.path("no/rules")).isMistake(73))
    #expect(try Tool.run("calibrate", "-c", folder.path("none")).isMistake(78))
    #expect(try Tool.run("calibrate", "--tolerance", "0").isMistake(64))
    let rules = folder.path("rules")
    #expect(try Tool.run("calibrate", "/dev/null", "-c", conf, "-o", rules).isMistake(69))
  }

  @Test func `a matrix in the configuration is reported to override the rule`() throws {
    let folder = try Folder()
    let conf = try configuration(
      folder, recording(), more: "calibration-matrix = 0 1 0 -1 0 1")
    let result = try Tool.run("calibrate", "-c", conf, "-o", folder.path("rules"))
    #expect(result.status == 0 && result.error.contains("calibration-matrix"))
  }

  @Test func `dots are drawn where the pad would draw`() throws {
    let folder = try Folder()
    let conf = try configuration(
      folder, recording([(0.5, 0.5)]),
      more: "calibration-matrix = 1.1113 0.0239 -0.0788 -0.0119 -1.0755 1.0439")
    let result = try Tool.run("watch", "--draw", "-c", conf)
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").count == 2)
    let picture = try PNGFile.decode(try folder.bytes("picture.png"))
    let dots = (0..<400 * 240).filter { picture.bytes[3 * $0] < 255 }
    // 1.6 mm of 154 mm in 400 pixels.
    #expect((12...32).contains(dots.count))
    for place in dots { #expect(abs(place % 400 - 200) <= 3 && abs(place / 400 - 120) <= 3) }
  }
}
