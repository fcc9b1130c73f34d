internal import Screen

/// A request or message of a program with its words typeset, as the main thread hands it to the render thread.
struct PadRequest: Sendable {
  let number: Int64
  /// For the manifest.
  var reference: String?
  /// In nanoseconds.
  var timeLimit: Int64?
  var scene: Scene

  var invitation: Invitation {
    Invitation(number: number, timeLimit: timeLimit, layout: scene.layout)
  }
}
