#if DEBUG
  import Ink
  import Screen
  import SyntheticHand
  import Touch

  @testable import Pad

  /// Persons, and the hardware before them.
  extension PadProcess {
    /// The panel is unplugged, plugged in, or shows something else.
    func togglePanel() throws {
      try run { running in
        isLit.toggle()
        if isLit {
          running.gate.open(at: disk.now)
        } else {
          running.gate.close()
          if isDown { try perform(running.session.cancel(at: disk.now), by: .person) }
        }
        running.session.setVisible(isLit, at: disk.now)
        report(running)
      }
    }

    /// Another panel of the same glass takes the place of this one.
    func replacePanel() throws {
      try run { running in
        if isDown { try perform(running.session.cancel(at: disk.now), by: .person) }
        isDown = false
        running.session.replaceScenes(resting: resting) { typeset($0.request).scene }
        report(running)
      }
    }

    /// The touchscreen is unplugged or plugged in.
    func toggleTouch() throws {
      hasTouch.toggle()
      if hasTouch || !isDown { return }
      try run { try take(.cancel, .zero, $0) }
    }

    /// A report of the touchscreen.
    func touch(_ random: inout SeededRandom) throws {
      guard hasTouch else { return }
      try run { running in
        let layout = running.session.requests.scene.layout
        var place = Point(
          .random(in: 25...110, using: &random), .random(in: 15...55, using: &random))
        if !isDown {
          contact = (contact &+ 1) & .max
          switch Int.random(in: 0..<20, using: &random) {
          case 0..<4: place = layout.area(of: .done).centre
          case 4:
            let others = [Button.clear, .undo, .cancel, .understood]
            place = layout.area(of: others[Int.random(in: 0..<4, using: &random)]).centre
          default: break
          }
          lastPlace = place
          try take(.down, place, running)
        } else if Int.random(in: 0..<3, using: &random) == 0 {
          try take(.up, place, running)
        } else if Int.random(in: 0..<60, using: &random) == 0 {
          try take(.cancel, place, running, isMistake: Bool.random(using: &random))
        } else {
          // A finger on a button stays there.
          if !layout.signing.contains(lastPlace) { place = lastPlace }
          try take(.move, place, running)
        }
      }
    }

    /// Somebody presses a button.
    func press(_ button: Button) throws {
      try run { running in
        if isDown { try take(.up, .zero, running) }
        contact = (contact &+ 1) & .max
        let place = running.session.requests.scene.layout.area(of: button).centre
        try take(.down, place, running)
        try take(.up, place, running)
      }
    }

    func take(
      _ phase: GlassContact.Phase, _ place: Point, _ running: RunningPad, isMistake: Bool = false
    ) throws {
      isDown = phase == .down || phase == .move
      let sample = Sample(time: disk.now, position: place)
      guard running.gate.passes(GlassContact(phase, sample, contact: contact)) else { return }
      if !isLit { throw BrokenPromise("a dark pad takes a contact") }
      lastTouch = disk.now
      unsavedSince = nil
      let action: SessionAction =
        switch phase {
        case .down: running.session.down(sample)
        case .move: running.session.move(sample)
        case .up: running.session.up(at: disk.now)
        case .cancel: running.session.cancel(isMistake: isMistake, at: disk.now)
        }
      try perform(action, by: .person)
      report(running)
      try checkGlass(running)
    }
  }
#endif
