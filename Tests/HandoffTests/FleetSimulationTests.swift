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
  func `after outages of minutes and a power cut, a fleet comes back spread, and starves no pad`() {
    let pads = 2000
    var fleet = FleetSimulation(pads: pads, interval: 600 * Self.second, seed: 1)
    fleet.run(
      [
        (600 * Self.second, .outage(120 * Self.second)),
        (2400 * Self.second, .outage(5 * Self.second)),
        (3600 * Self.second, .outage(600 * Self.second)),
        (7200 * Self.second, .powerCut),
      ], until: 9000 * Self.second)
    check(fleet, pads: pads, within: [150, 60, 150, 60])
    #expect(fleet.delivered > 20_000)
    // Only what was signed in the last moments.
    #expect(fleet.waiting < pads / 100)
  }

  @Test(.enabled(if: Soak.isOn))
  func `ten thousand pads come back from a week of outages`() throws {
    let pads = 10_000
    let hour = 3600 * Self.second
    var fleet = FleetSimulation(pads: pads, interval: hour, seed: 2)
    fleet.run(
      [
        (10 * hour, .outage(120 * Self.second)), (34 * hour, .outage(5 * Self.second)),
        (58 * hour, .outage(600 * Self.second)), (82 * hour, .outage(hour)),
        (106 * hour, .outage(8 * hour)), (154 * hour, .powerCut),
      ], until: 168 * hour)
    check(fleet, pads: pads, within: [180, 60, 180, 180, 3600, 60])
    for recovery in fleet.recoveries {
      print(
        "fleet      \(recovery.event): at most \(recovery.connected.max() ?? 0) of \(pads) pads connect in a second; "
          + "all after \(recovery.allConnected ?? -1) s, backlog delivered after \(recovery.drained ?? -1) s"
      )
    }
    print("fleet      \(fleet.delivered) signatures delivered, \(fleet.attempts) connections tried")
    if let folder = getenv("PARAPH_FLEET") {
      let path = String(cString: folder)
      let curve = Array(fleet.recoveries[0].connected.prefix(120))
      try Fixtures.write(path + "/fleet.csv", Array(csv(curve).utf8))
      try Fixtures.write(path + "/fleet.svg", Array(svg(curve, pads: pads).utf8))
    }
  }

  private func csv(_ curve: [Int]) -> String {
    "second,connected\n" + curve.enumerated().map { "\($0),\($1)\n" }.joined()
  }

  /// Bars of pads per second, and a line at a twentieth of them.
  private func svg(_ curve: [Int], pads: Int) -> String {
    let (width, height, left, bottom) = (640, 240, 48, 28)
    let scale = Double(height - bottom - 12) / (Double(pads) / 18)
    func y(_ count: Int) -> Int { height - bottom - Int(Double(count) * scale) }
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="11">
      <title>\(pads) pads connect again after an outage of two minutes (simulation)</title>
      <rect width="\(width)" height="\(height)" fill="#fff"/>

      """
    for (second, count) in curve.enumerated() {
      text +=
        "<rect x=\"\(left + second * 4)\" y=\"\(y(count))\" width=\"3\" height=\"\(height - bottom - y(count))\" "
        + "fill=\"#2b5c8a\"/>\n"
    }
    let limit = y(pads / 20)
    text +=
      "<path d=\"M\(left) \(limit)H\(width - 60)\" stroke=\"#b3261e\" stroke-dasharray=\"4 3\"/>\n"
      + "<text x=\"\(width - 56)\" y=\"\(limit + 4)\" fill=\"#b3261e\">5 %</text>\n"
      + "<path d=\"M\(left) \(height - bottom)H\(width - 60)\" stroke=\"#444\"/>\n"
    for second in stride(from: 0, through: 120, by: 30) {
      text +=
        "<text x=\"\(left + second * 4)\" y=\"\(height - 12)\" text-anchor=\"middle\">\(second) s</text>\n"
    }
    for count in [0, pads / 100, pads / 50, pads * 3 / 100, pads / 25] {
      text += "<text x=\"\(left - 6)\" y=\"\(y(count) + 4)\" text-anchor=\"end\">\(count)</text>\n"
    }
    return text + "</svg>\n"
  }
}
