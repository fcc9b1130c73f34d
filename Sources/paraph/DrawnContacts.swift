import Ink
import Touch

/// The strokes that a pad draws from a recording: the same decoder, the same arbitration of contacts.
struct DrawnContacts {
  private var strokes: [Stroke] = []
  private var drawing: Int32?

  /// Strokes in the device's units, divided by those of a millimetre: nothing is turned, cut or moved.
  static func strokes(
    of recording: DeviceRecording, unitsPerMillimetre units: (x: Double, y: Double)
  ) -> [Stroke] {
    let geometry = GlassGeometry(recording.device, unitsPerMillimetre: units)
    var decoder = ContactDecoder(recording.device, state: recording.state)
    var arbitration = TouchArbitration()
    var contacts = DrawnContacts()
    for event in recording.events where decoder.put(event) {
      arbitration.process(
        decoder.frame, geometry: geometry, isPenNear: decoder.isPenNear, at: event.time)
      for index in 0..<arbitration.contacts.count { contacts.take(arbitration.contacts[index]) }
    }
    return contacts.strokes
  }

  private mutating func take(_ contact: GlassContact) {
    switch contact.phase {
    case .down:
      drawing = contact.contact
      strokes.append(Stroke([contact.sample]))
    case .move:
      guard contact.contact == drawing else { return }
      let last = strokes.count - 1
      if contact.isAfterGap { strokes[last].gaps.append(strokes[last].samples.count) }
      strokes[last].samples.append(contact.sample)
    case .up, .cancel:
      guard contact.contact == drawing else { return }
      if contact.isMistake { strokes.removeLast() }
      drawing = nil
    }
  }
}
