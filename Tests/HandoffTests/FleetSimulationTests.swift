import CLinux
import Linux
import SpoolFixtures
import Testing

@testable import Handoff

/// What a broker sees of a fleet after outages.
@Suite struct FleetSimulationTests {
  static let second = FleetSimulation.second

  /// Checks that no second had more than a twentieth of the pads, and that everything was delivered.
  func check(_ fleet: FleetSimulation, pads: Int, within limits: [Int64]) {
    for (recovery, limit) in zip(fleet.recoveries, limits) {
      let most = recovery.connected.max() ?? 0
      #expect(most <= pads / 20, "\(recovery.event): \(most) of \(pads) in a second")
      #expect(recovery.connected.reduce(0, +) > 0)
      #expect(
        (recovery.allConnected ?? .max) <= limit,
        "\(recovery.event): \(recovery.allConnected ?? -1) s")
      #expect((recovery.drained ?? .max) <= limit, "\(recovery.event): \(recovery.drained ?? -1) s")
    }
  }

  @Test
  func `after outages and power cuts, a fleet comes back spread, and starves no pad`() {
    let pads = 2000
    var fleet = FleetSimulation(pads: pads, interval: 600 * Self.second, seed: 1)
    fleet.run(
      [
        (600 * Self.second, .outage(120 * Self.second)),
        (2400 * Self.second, .outage(5 * Self.second)),
        (3600 * Self.second, .outage(600 * Self.second)),
        (7200 * Self.second, .powerCut(after: 0)),
        // Each pad has a backlog.
        (9000 * Self.second, .powerCut(after: 1200 * Self.second)),
        (12_000 * Self.second, .networkUp(after: 1200 * Self.second)),
        (15_000 * Self.second, .networkUp(after: 60 * Self.second)),
      ], until: 18_000 * Self.second)
    check(fleet, pads: pads, within: [150, 60, 150, 60, 60, 60, 90])
    #expect(fleet.delivered > 20_000)
    // Only what was signed in the last moments.
    #expect(fleet.waiting < pads / 100)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `of 300 pads that sign through an outage, no second has more than a twentieth`(seed: UInt64)
  {
    let pads = 300
    var fleet = FleetSimulation(pads: pads, interval: 20 * Self.second, seed: seed)
    fleet.run([(60 * Self.second, .outage(120 * Self.second))], until: 400 * Self.second)
    check(fleet, pads: pads, within: [90])
  }

  @Test(.enabled(if: Soak.isOn, "only make soak has the time"))
  func `ten thousand pads come back from a week of outages`() throws {
    let pads = 10_000
    let hour = 3600 * Self.second
    var fleet = FleetSimulation(pads: pads, interval: hour, seed: 2)
    fleet.run(
      [
        (10 * hour, .outage(120 * Self.second)), (34 * hour, .outage(5 * Self.second)),
        (58 * hour, .outage(600 * Self.second)), (82 * hour, .outage(hour)),
        (106 * hour, .outage(8 * hour)), (154 * hour, .powerCut(after: 0)),
        (158 * hour, .powerCut(after: 2 * hour)), (164 * hour, .networkUp(after: 2 * hour)),
      ], until: 168 * hour)
    check(fleet, pads: pads, within: [180, 60, 180, 180, 3600, 60, 60, 60])
    for recovery in fleet.recoveries {
      print(
        "fleet      \(recovery.event): at most \(recovery.connected.max() ?? 0) of \(pads) pads connect in a second; "
          + "all after \(recovery.allConnected ?? -1) s, backlog delivered after \(recovery.drained ?? -1) s"
      )
    }
    print("fleet      \(fleet.delivered) signatures delivered, \(fleet.attempts) connections tried")
    if let folder = getenv("PARAPH_FLEET") {
      let path = String(cString: folder)
      let picture = OutagePicture(
        simulated: fleet.recoveries[0].connected, of: pads,
        measured: try? Fixtures.text(path + "/measured.csv"))
      try Fixtures.write(path + "/outage.svg", Array(picture.svg.utf8))
    }
  }
}

/// The pads that connect in each second after an outage: bars for a simulation, and dots for a measurement.
private struct OutagePicture {
  let svg: String

  private static let (width, height, left, bottom) = (640, 240, 44, 28)
  /// Of the vertical axis, in percent of the pads.
  private static let top = 6.0
  private static let seconds = 70

  /// `measured`: lines of second and count, behind a line that ends with the number of pads.
  init(simulated: [Int], of pads: Int, measured: String?) {
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(Self.height)" font-family="sans-serif" \
      font-size="11">
      <title>Pads that connect in each second after an outage of two minutes</title>
      <rect width="\(Self.width)" height="\(Self.height)" fill="#fff"/>

      """
    for (second, count) in simulated.prefix(Self.seconds).enumerated() {
      let y = Self.y(Double(count) / Double(pads))
      text +=
        "<rect x=\"\(Self.x(second))\" y=\"\(y)\" width=\"6\" height=\"\(Self.height - Self.bottom - y)\" "
        + "fill=\"#9db8d2\"/>\n"
    }
    let lines = (measured ?? "").split(separator: "\n")
    let count = lines.first?.split(separator: " ").last.flatMap { Double($0) } ?? 1
    for line in lines.dropFirst().prefix(Self.seconds) {
      let numbers = line.split(separator: ",").compactMap { Int($0) }
      guard numbers.count == 2 else { continue }
      text +=
        "<circle cx=\"\(Self.x(numbers[0]) + 3)\" cy=\"\(Self.y(Double(numbers[1]) / count))\" r=\"2\" "
        + "fill=\"#b3541e\"/>\n"
    }
    for percent in 0...5 {
      let y = Self.y(Double(percent) / 100)
      let dashes = percent == 5 ? " stroke-dasharray=\"4 3\"" : " opacity=\"0.2\""
      text +=
        "<path d=\"M\(Self.left) \(y)H\(Self.width - 12)\" stroke=\"#444\"\(dashes)/>\n"
        + Self.text("\(percent) %", Self.left - 6, y + 4, anchor: "end")
    }
    for second in stride(from: 0, through: 60, by: 10) {
      text += Self.text(
        "\(second) s", Self.x(second), Self.height - 12, anchor: "middle")
    }
    text += Self.text("bars: \(pads) pads, simulated", Self.width - 200, 24)
    if !lines.isEmpty {
      text += Self.text("dots: \(Int(count)) pads, measured", Self.width - 440, 24)
    }
    svg = text + "</svg>\n"
  }

  private static func x(_ second: Int) -> Int { left + second * 8 }

  private static func y(_ share: Double) -> Int {
    height - bottom - Int(share * 100 / top * Double(height - bottom))
  }

  private static func text(_ words: String, _ x: Int, _ y: Int, anchor: String = "start") -> String
  {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(words)</text>\n"
  }
}
