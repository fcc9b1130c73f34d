internal import Control
internal import Screen

/// The requests of a session: the one that is shown, and one that waits for the end of a notice.
struct OpenRequests: Sendable {
  /// The request whose scene is shown, with its deadline.
  private(set) var shown: TypesetRequest?
  /// The request that waits for the end of a notice.
  private(set) var waiting: TypesetRequest?
  /// The scene without a request.
  private(set) var resting: Scene

  init(resting: Scene) { self.resting = resting }

  /// The scene that is shown.
  var scene: Scene { shown?.scene ?? resting }

  /// The request for a signature that is shown.
  var signature: PadRequest? {
    shown.flatMap { $0.request.kind == .signature ? $0.request : nil }
  }

  /// The request that is shown and that the person answers; nil: none, or a message.
  var answerable: PadRequest? {
    shown.flatMap { $0.request.kind == .message ? nil : $0.request }
  }

  /// Shows a request; its time limit, if it has not begun, begins at `now`.
  mutating func show(_ request: TypesetRequest, at now: Int64) {
    var request = request
    if request.request.deadline == nil {
      request.request.deadline = request.request.timeLimit.map { now + $0 }
    }
    shown = request
  }

  /// Begins the time limit of the request that is shown again.
  mutating func renewDeadline(at now: Int64) {
    guard let limit = shown?.request.timeLimit else { return }
    shown?.request.deadline = now + limit
  }

  /// Ends the time limit of the request that is shown until it is renewed.
  mutating func suspendDeadline() { shown?.request.deadline = nil }

  /// Queues a request; returns false if another one waits.
  mutating func queue(_ request: TypesetRequest) -> Bool {
    guard waiting == nil else { return false }
    waiting = request
    return true
  }

  /// Removes and returns the request that waits, if it has this number.
  mutating func withdrawWaiting(_ number: Int64) -> PadRequest? {
    guard let request = waiting?.request, request.number == number else { return nil }
    waiting = nil
    return request
  }

  /// Ends the request that is shown; removes and returns the one that waits.
  mutating func next() -> TypesetRequest? {
    defer { (shown, waiting) = (nil, nil) }
    return waiting
  }

  /// Replaces the scenes, for another panel or with other texts.
  ///
  /// - Parameter scene: The new scene of a request; nil: it keeps its own.
  mutating func replaceScenes(resting: Scene, _ scene: (TypesetRequest) -> Scene?) {
    self.resting = resting
    if let request = shown { shown?.scene = scene(request) ?? request.scene }
    if let request = waiting { waiting?.scene = scene(request) ?? request.scene }
  }

  /// Replaces the resting scene.
  mutating func setResting(_ scene: Scene) { resting = scene }

  // MARK: - Time limit

  /// The deadline of the request that is shown.
  var deadline: Int64? { shown?.request.deadline }

  /// Whether the request that is shown is past its deadline.
  func isLate(at now: Int64) -> Bool { deadline.map { now >= $0 } ?? false }

  /// The whole seconds that are left for an answer; nil: no limit.
  func secondsLeft(at now: Int64) -> Int? {
    answerable?.deadline.map { Int(max(0, $0 - now + 999_999_999) / 1_000_000_000) }
  }

  /// When `secondsLeft` changes.
  func nextSecond(after now: Int64) -> Int64? {
    guard let deadline = answerable?.deadline, let secondsLeft = secondsLeft(at: now) else {
      return nil
    }
    return deadline - Int64(max(0, secondsLeft - 1)) * 1_000_000_000
  }
}
