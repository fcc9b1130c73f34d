internal import Configuration
internal import Ink

extension StrokeModel.Kind {
  /// What the configuration asks for.
  init(_ wishes: InkConfiguration) {
    self = wishes.model.flatMap { StrokeModel.Kind(rawValue: $0) } ?? .standard
  }
}
