import Ink

extension Bench {
  /// A sample through each model and into outlines, finalised and provisional, against the same
  /// through UberSignature's bare arithmetic in C. Nothing is flattened or filled on either side.
  func measureModels(_ report: inout Report) {
    let c = "UberSignature's bare arithmetic in C, sample to outlines"
    var contestants: [(name: String, run: () -> Double)] = [(c, arithmetic)]
    for kind in StrokeModel.Kind.allCases {
      contestants.append((Bench.name(kind), { model(kind) }))
    }
    let runs = Interleaved(rounds: 5 * Bench.rounds, contestants)
    report.add(c, runs.median(c), "ns/sample")
    for kind in StrokeModel.Kind.allCases {
      let name = Bench.name(kind)
      report.add(name, runs.median(name), "ns/sample")
      report.add(
        name, runs.ratio(name, to: c), against: c, target: kind == .standard ? 3 : nil)
    }
  }

  private static func name(_ kind: StrokeModel.Kind) -> String {
    "model \(kind.rawValue), sample to outlines"
  }
}
