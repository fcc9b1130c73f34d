internal import ArgumentParser

/// The option `--units-per-mm`: a number above 0.
struct Units: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let value = Double(argument), value.isFinite, value > 0 else { return nil }
    self.value = value
  }
}
