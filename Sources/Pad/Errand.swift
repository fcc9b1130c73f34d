/// What a program wants, with its words set: what goes from the main thread to the render thread.
struct Errand: Sendable {
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
