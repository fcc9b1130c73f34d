internal import Control
internal import Linux
internal import Touch

/// Lists the input devices, and why some are not in use, on a thread of its own.
///
/// The thread opens each device, which may take as long as its driver likes.
struct TouchscreenSurvey {
  private let main: Mailbox<MainMessage>
  /// Nil: the input is a recording.
  private let choice: DeviceChoice?
  private var isRunning = false
  /// The devices have changed since the thread started.
  private var isStale = false

  init(_ source: InputOptions.Source, main: Mailbox<MainMessage>) {
    self.main = main
    if case .devices(let choice) = source { self.choice = choice } else { choice = nil }
  }

  /// The devices have changed: lists them, or lists them again after the running survey.
  mutating func devicesChanged(on panel: PanelFacts?) {
    isStale = isRunning
    start(on: panel)
  }

  /// Starts the thread unless it runs. `.surveyed` is its answer.
  mutating func start(on panel: PanelFacts?) {
    guard let choice, !isRunning else { return }
    let (main, location) = (main, panel?.location)
    do throws(Errno) {
      try Thread(name: "paraph-survey") {
        Thread.becomeOrdinary()
        let entries = TouchSurvey(choice, on: location).entries
        main.post(
          .surveyed(
            entries.map {
              PadInfo.Touchscreen(node: $0.path, name: $0.name, rejection: $0.unused)
            }))
      }.detach()
      isRunning = true
    } catch {
      StandardError.log(.warning, "kernel: cannot list input devices: \(error.text)")
    }
  }

  /// The thread has ended. Returns whether to use its list; otherwise, another thread was started.
  mutating func finished(on panel: PanelFacts?) -> Bool {
    isRunning = false
    guard isStale else { return true }
    isStale = false
    start(on: panel)
    return !isRunning
  }
}
