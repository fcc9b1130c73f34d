import Ink
import Touch

/// The strokes that a pad would draw from a recording: those of one contact at a time.
struct DrawnContacts {
  private let scale: DeviceScale
  private var strokes: [Stroke] = []
  private var drawing: Int32?
  /// Contacts that touched while another one drew: they do not draw when it has gone.
  private var refused: Set<Int32> = []

  static func strokes(of recording: DeviceRecording, _ scale: DeviceScale) -> [Stroke] {
    var decoder = ContactDecoder(recording.device, state: recording.state)
    var contacts = DrawnContacts(scale: scale)
    for event in recording.events where decoder.put(event) {
      for index in 0..<decoder.frame.count { contacts.take(decoder.frame[index]) }
    }
    return contacts.strokes
  }

  private init(scale: DeviceScale) { self.scale = scale }

  private mutating func take(_ event: ContactEvent) {
    switch event.phase {
    case .down, .move:
      if event.contact == drawing {
        goOn(event)
      } else if DrawnContacts.touches(event), !refused.contains(event.contact) {
        begin(event)
      }
    case .up, .cancel:
      if event.contact == drawing { drawing = nil }
      refused.remove(event.contact)
    }
  }

  private mutating func begin(_ event: ContactEvent) {
    guard drawing == nil, let sample = scale.sample(event) else {
      refused.insert(event.contact)
      return
    }
    drawing = event.contact
    strokes.append(Stroke([sample]))
  }

  private mutating func goOn(_ event: ContactEvent) {
    guard DrawnContacts.touches(event) else {
      // The hand's edge turned out to be one: what it drew was none.
      if event.tool == .palm { strokes.removeLast() }
      drawing = nil
      return
    }
    guard let sample = scale.sample(event) else { return }
    let last = strokes.count - 1
    if event.isAfterGap { strokes[last].gaps.append(strokes[last].samples.count) }
    strokes[last].samples.append(sample)
  }

  private static func touches(_ event: ContactEvent) -> Bool {
    !event.isHovering && !event.isResting && (event.tool == .finger || event.tool == .pen)
  }
}
