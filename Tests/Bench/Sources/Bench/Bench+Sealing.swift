extension Bench {
  /// From Done to an item in the spool, with and without paraph-seal.
  func measureSealing(_ report: inout Report) {
    let numbers = Script(name: "sealing.py").numbers(Script.programs)
    guard numbers.count == 4, numbers[0] > 0 else { return report.skip("sealing") }
    report.add("sealing: Done to published, plain", numbers[0], "ms")
    report.add("sealing: Done to published, sealed", numbers[1], "ms")
    report.add("sealing: Done to published, sealed and signed", numbers[2], "ms")
    report.add("sealing: sealed, beside plain", numbers[1] / numbers[0], "×", target: 2)
    report.add("sealing: sealed and signed, beside plain", numbers[2] / numbers[0], "×", target: 2)
  }
}
