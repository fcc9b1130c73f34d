internal import ArgumentParser
import Ink

/// The option `--model`: a model's own name, or `default`.
struct ModelName: ExpressibleByArgument {
  /// Nil: the program's default.
  let kind: StrokeModel.Kind?

  init?(argument: String) {
    if argument == "default" {
      kind = nil
    } else if let kind = StrokeModel.Kind(rawValue: argument) {
      self.kind = kind
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { ["default"] + StrokeModel.Kind.allCases.map(\.rawValue) }
}
