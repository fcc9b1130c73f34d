internal import Configuration
internal import Ink
internal import Linux
internal import Touch

/// What the input thread is told.
enum InputMessage: Sendable {
  /// Answer that the thread is alive.
  case heartbeat
  /// End.
  case stop
}

/// The input thread, whatever feeds it.
final class PadInput {
  private let messages: Mailbox<InputMessage>
  private var thread: Thread?

  init(
    _ configuration: TouchConfiguration, panel: PanelFacts, ring: ContactRing,
    news: Mailbox<PadNews>
  ) throws(Errno) {
    messages = try Mailbox()
    let placement = GlassGeometry.Placement(
      width: panel.size.width, height: panel.size.height,
      sensitiveSize: configuration.size.map { Point($0.width, $0.height) })
    guard let path = configuration.recording else { return }
    do throws(RecordingError) {
      guard case .device(let recording) = try Recording(contentsOf: path) else { return }
      let loop = ReplayLoop(
        recording, geometry: GlassGeometry(recording.device, on: placement),
        policy: configuration.contacts == .all ? .all : .first, loops: configuration.loop,
        ring: ring, messages: messages, news: news)
      do throws(Errno) {
        thread = try Thread(name: "paraph-input") { loop.run() }
      } catch { StandardError.log(.error, "kernel: no thread: \(error.text)") }
    } catch {
      StandardError.log(.error, "config: [touch] recording: \(error)")
    }
  }

  func askAlive() { messages.post(.heartbeat) }

  func stop() {
    messages.post(.stop)
    if let thread = thread.take() { thread.join() }
  }
}
