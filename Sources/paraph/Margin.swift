internal import ArgumentParser

/// The option `--margin`: millimetres of white around the ink.
struct Margin: ExpressibleByArgument {
  var millimetres: Float = 2

  init() {}

  init?(argument: String) {
    guard let value = Float(argument), (0...100).contains(value) else { return nil }
    millimetres = value
  }

  var defaultValueDescription: String { "\(Int(millimetres))" }
}
