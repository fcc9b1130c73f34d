import Glibc

extension Bench {
  /// Ink of the real daemon while programs hammer its socket: the median of three runs each, in turns.
  func measureControl(_ report: inout Report) {
    let root = Main.rootPath
    let daemon = root + ".build/release/paraphd"
    guard access(daemon, X_OK) == 0 else { return report.skip("control: \(daemon) is not built") }
    guard let output = popen("python3 '\(root)Tests/Bench/hammer.py' '\(daemon)' 12", "r") else {
      return report.skip("control: python3 cannot be started")
    }
    defer { pclose(output) }
    var line = [CChar](repeating: 0, count: 200)
    let text = fgets(&line, 200, output) == nil ? "" : String(cString: line)
    let numbers = text.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    guard numbers.count == 3, numbers[0] > 0 else {
      return report.skip("control: the pad did not answer")
    }
    let (calm, hammered, calls) = (numbers[0], numbers[1], numbers[2])
    report.add("control: stamp to pixels p99, nobody asks", calm, "µs")
    report.add("control: calls of 100 programs answered in 36 s", calls, "")
    report.add(
      "control: stamp to pixels p99, 100 programs hammer", hammered / calm,
      against: "nobody asks", target: 1.2)
  }
}
