import Glibc

extension Bench {
  /// From Done to an item in the spool, with and without paraph-seal.
  func measureSealing(_ report: inout Report) {
    // A disk makes both slower, so that the ratio says less of sealing.
    let places: [(String, String, Double?)] = [
      ("memory", "/dev/shm", 2), ("a disk", "/var/tmp", nil),
    ]
    for (place, folder, target) in places {
      let numbers = Script(name: "sealing.py").numbers(Script.programs, "10", folder)
      guard numbers.count == 4, numbers[0] > 0 else {
        let line = "bench: there are no figures of sealing with a spool in \(place)\n"
        write(STDERR_FILENO, line, line.utf8.count)
        exit(EXIT_FAILURE)
      }
      let name = "sealing, spool in \(place): "
      report.add(name + "Done to published, plain", numbers[0], "ms")
      report.add(name + "Done to published, sealed", numbers[1], "ms")
      report.add(name + "Done to published, sealed and signed", numbers[2], "ms")
      report.add(name + "sealed, beside plain", numbers[1] / numbers[0], "×", target: target)
      report.add(
        name + "sealed and signed, beside plain", numbers[2] / numbers[0], "×", target: target)
    }
  }
}
