import Glibc

extension Bench {
  /// Ink of the real daemon while programs hammer its socket: the median of three runs each, in turns.
  func measureControl(_ report: inout Report) {
    let daemon = Script.programs + "paraphd"
    guard access(daemon, X_OK) == 0 else { return report.skip("control: \(daemon) is not built") }
    let restart = Script(name: "restart.py").numbers(daemon, "9")
    if restart.count == 2 {
      report.add(
        "control: restart after kill -9 to ink and request, median", restart[0], "ms", target: 500)
      report.add("control: the longest of 9", restart[1], "ms", target: 500)
    } else {
      report.skip("control: the restart after kill -9")
    }
    measureHostileClients(daemon, &report)
    let numbers = Script(name: "hammer.py").numbers(daemon, "12")
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

  /// A client's waits while others hold up the pad as well as they can.
  private func measureHostileClients(_ daemon: String, _ report: inout Report) {
    let hostile = Script(name: "hostile.py").numbers(daemon, "10")
    guard hostile.count == 5 else { return report.skip("control: hostile clients") }
    report.add("control: a client's wait beside 192 hostile ones, median", hostile[0], "ms")
    report.add("control: the same, p99", hostile[1], "ms", target: 100)
    report.add("control: the longest of them", hostile[2], "ms")
    report.add(
      "control: longest time between two answers to a watchdog of 2 s", hostile[3], "ms",
      target: 2000)
    report.add("control: resident memory meanwhile", hostile[4], "MB")
    // None of them has more connections than a program may have.
    let spread = Script(name: "hostile.py").numbers(daemon, "10", "12")
    guard spread.count == 5 else { return report.skip("control: 12 hostile processes") }
    report.add("control: the wait beside 12 hostile processes, p99", spread[1], "ms", target: 100)
  }
}
