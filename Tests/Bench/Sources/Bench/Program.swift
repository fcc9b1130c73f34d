import Glibc

extension Bench {
  static let rounds = 41
}

@main struct Program {
  static func main() {
    let bench = Bench()
    let wanted = CommandLine.arguments.dropFirst()
    if wanted.elementsEqual(["instructions"]) { return bench.countInstructions() }
    var report = Report()
    let parts: [(name: String, measure: (Bench) -> (inout Report) -> Void)] = [
      ("models", Bench.measureModels), ("raster", Bench.measureRaster),
      ("touches", Bench.measureTouches), ("constancy", Bench.measureConstancy),
      ("allocations", Bench.measureAllocations), ("png", Bench.measurePNG),
      ("pad", Bench.measurePad),
      ("sealing", Bench.measureSealing), ("control", Bench.measureControl),
      ("web", Bench.measureWeb), ("mirror", Bench.measureMirror), ("canvas", Bench.measureCanvas),
    ]
    if let name = wanted.first(where: { name in !parts.contains { $0.name == name } }) {
      print("bench: there is no \(name); parts: \(parts.map(\.name).joined(separator: " "))")
      exit(64)
    }
    print("\(bench.samples) samples in \(bench.signature.count) strokes, 1280×800, 163 dpi")
    for part in parts where wanted.isEmpty || wanted.contains(part.name) {
      part.measure(bench)(&report)
    }
    report.printTable()
    guard wanted.isEmpty else { return }
    let path = ".build/bench.json"
    if !report.write(to: rootPath + path) {
      print("bench: cannot write \(rootPath + path): \(String(cString: strerror(errno)))")
      exit(74)
    }
  }

  /// The root package, from where this file lies.
  static var rootPath: String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
      .joined(separator: "/") + "/"
  }
}
