import Linux
import SpoolFixtures
import Testing

/// Histories of a pad, its programs and receivers on a machine whose disk, clock and power a seed decides. A failure
/// prints its seed and the steps that it needs: Tests/Simulation/README.md.
@Suite struct SimulationTests {
  private func run(_ words: [String]) throws -> String {
    let result = try Programs.run("simulation", words)
    #expect(result.end == .exit(0), "\(result.text)")
    return result.text
  }

  @Test func `the promises hold in the histories of these seeds`() throws {
    let count = Sanitizer.isOff ? 300 : 40
    let text = try run(["--seed", "1", "--histories", "\(count)"])
    #expect(text.contains("\(count) histories"))
  }

  @Test func `the promises hold in the histories of any seeds`() throws {
    let seed = UInt64.random(in: 1_000_000...1_000_000_000)
    let count = Sanitizer.isOff ? 150 : 20
    let text = try run(["--seed", "\(seed)", "--histories", "\(count)"])
    #expect(text.contains("\(count) histories"))
  }

  @Test func `a busy pad leaves no descriptor open`() throws {
    // The whole week, by which the heap is judged, is part of make soak.
    let text = try Programs.run("simulation", ["--seed", "1", "--week", "400"]).text
    let samples = text.split(separator: "\n").filter { $0.hasSuffix(" descriptors") }
    #expect(samples.count == 21, "\(text)")
    for line in samples.dropLast() {
      let number = line.split(separator: " ").dropLast().last.flatMap { Int($0) }
      #expect((0...8).contains(number ?? .max), "\(line)")
    }
  }
  @Test(.enabled(if: Fixtures.exists("/usr/bin/patch"), "needs patch"))
  func `the mends that Defects takes out are in these sources`() throws {
    let mends = Fixtures.root + "/Tests/Simulation/Defects/mends.patch"
    let check = try Programs.run(
      path: "/usr/bin/patch",
      ["--dry-run", "--fuzz=0", "-p1", "-f", "-d", Fixtures.root, "-i", mends])
    #expect(check.end == .exit(0), "\(check.text)")
  }
}
