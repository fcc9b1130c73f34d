public import Ink

extension DeviceRecording {
  /// The strokes that the recorded contacts draw, in millimetres; every stroke has at least one sample.
  /// Coordinates are the device's divided by `units` per millimetre, nothing else. A gap ends a stroke
  /// and begins another.
  public func strokes(
    unitsPerMillimetre units: (x: Double, y: Double), _ policy: ContactChoice.Policy = .first
  ) -> [[Sample]] {
    let geometry = GlassGeometry(device, unitsPerMillimetre: units)
    var decoder = ContactDecoder(device, state: state)
    var choice = ContactChoice(policy)
    var drawing = RecordedStrokes()
    for event in events where decoder.put(event) {
      choice.take(
        decoder.frame, geometry: geometry, isPenNear: decoder.isPenNear, at: event.time)
      for index in choice.contacts.indices { drawing.take(choice.contacts[index]) }
    }
    return drawing.finished
  }
}

/// Strokes that grow side by side, in the order in which they began.
private struct RecordedStrokes {
  private var strokes: [[Sample]] = []
  /// The stroke of each contact that is down.
  private var places: [(contact: Int32, stroke: Int)] = []

  /// Those that were not taken back.
  var finished: [[Sample]] { strokes.filter { !$0.isEmpty } }

  mutating func take(_ contact: GlassContact) {
    let place = places.firstIndex { $0.contact == contact.contact }
    switch contact.phase {
    case .down: begin(contact)
    case .move:
      guard let place else { return }
      if contact.isAfterGap {
        places.remove(at: place)
        begin(contact)
      } else {
        strokes[places[place].stroke].append(contact.sample)
      }
    case .up, .cancel:
      guard let place else { return }
      if contact.isMistake { strokes[places[place].stroke] = [] }
      places.remove(at: place)
    }
  }

  private mutating func begin(_ contact: GlassContact) {
    places.append((contact.contact, strokes.count))
    strokes.append([contact.sample])
  }
}
