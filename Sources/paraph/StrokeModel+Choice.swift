import Ink

extension StrokeModel.Kind {
  /// The model that a command draws with: the one asked for; `default` is the program's, and nothing
  /// is what drew the signature on the pad, else the program's default as well.
  static func chosen(_ name: ModelName?, _ file: StrokeFile) -> StrokeModel.Kind {
    if let name { return name.kind ?? .standard }
    return file.model ?? .standard
  }
}
