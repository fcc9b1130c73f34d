extension DeviceKind {
  /// Why a device of this kind does not draw beside those that do, where none was chosen; nil if it does.
  ///
  /// - Parameters:
  ///   - drawing: The kinds that draw already.
  ///   - others: Those that could.
  func rejection(beside drawing: [DeviceKind], others: [DeviceKind]) -> String? {
    switch self {
    case .pen: nil
    case .touchscreen: drawing.contains(.touchscreen) ? "another touchscreen comes first" : nil
    case .pointer:
      drawing.isEmpty && others.allSatisfy { $0 == .pointer }
        ? nil : "a pointer draws only where there is no touchscreen"
    }
  }
}
