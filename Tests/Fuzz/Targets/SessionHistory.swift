#if DEBUG
  import Control
  import Ink
  import Screen

  @testable import Pad

  /// A person, programs, a save thread and a clock at a session, whose steps are read from bytes, and a model of what is
  /// on the glass and which requests are open.
  ///
  /// Promise 2: ink leaves the glass only when it is saved, cleared, or abandoned under documented rules, and does not
  /// change while it is saved. Each request has one end.
  struct SessionHistory {
    private static let second: Int64 = 1_000_000_000
    private static let size = (width: Float(150), height: Float(90))
    private static let layouts = [PadRequest.Kind.signature, .message, .question].map { layout($0) }
    private static let buttons = [
      Button.clear, .undo, .done, .cancel, .understood, .choice(0), .choice(2), .back, .forward,
      .sign, .document,
    ]

    private var session: Session
    private var now: Int64 = 1
    private var lastRequest: Int64 = 0
    // The model.
    private var strokes = 0
    private var isInking = false
    private var isSaving = false
    /// Its request was withdrawn while the ink was being saved.
    private var isWithdrawn = false
    /// The ink on the glass is in the spool.
    private var isSaved = false
    /// *Done* was pressed, saving failed, and nobody has touched the ink since.
    private var isUnsaved = false
    private var open: Set<Int64> = []

    /// The cause of a step, which may end the ink.
    private enum Cause { case none, person, withdrawal, time, refusal }

    init(_ bytes: inout FuzzBytes) {
      let choice = bytes.byte()
      var rules = SessionRules()
      rules.invites = choice & 1 != 0
      rules.abandonment = choice & 2 != 0 ? 20 * Self.second : nil
      session = Session(resting: Scene(layout: Self.layout(.signature)), rules: rules)
      session.setSlides(available: choice & 4 != 0)
      if choice & 8 != 0 { session.awaitService() }
    }

    private static func layout(_ kind: PadRequest.Kind) -> Layout {
      var parts = LayoutParts(undo: true, cancel: true, countdown: true)
      parts.hasDocument = kind == .signature
      if kind == .message { parts.message = .understood }
      if kind == .question {
        parts.message = .none
        parts.choices = ChoiceGrid(count: 3, columns: 3)
      }
      return Layout(width: size.width, height: size.height, parts: parts)
    }

    /// A step: a kind and its argument. Returns what is wrong.
    mutating func step(_ bytes: inout FuzzBytes) -> String? {
      let kind = bytes.byte()
      let argument = bytes.byte()
      now += Int64(argument >> 4) * Self.second / 8
      switch kind % 16 {
      case 0, 1:
        isUnsaved = isUnsaved && session.viewState.page != .invitation
        return take(session.down(sample(argument)), .none)
      case 2: return take(session.move(sample(argument)), .none)
      case 3, 4: return take(session.up(at: now), .person)
      case 5:
        let isMistake = argument & 1 != 0
        return take(session.cancel(isMistake: isMistake), isMistake ? .person : .none)
      case 6:
        isUnsaved = isUnsaved && session.viewState.page != .invitation
        return take(session.press(button(argument), at: now), .person)
      case 7: return open(argument)
      case 8:
        let number = lastRequest - Int64(argument & 3)
        // Ink does not end by this.
        if argument & 4 != 0 {
          let action = session.withdrawWithoutInk(number, for: 1, at: now)
          return action == .none ? take(action, .none) : "\(action) without ink"
        }
        if isSaving, session.requests.signature?.number == number { isWithdrawn = true }
        return take(session.withdraw(number, at: now), .withdrawal)
      case 9:
        if isSaving {
          isSaved = true
          // The caller tells the client.
          if let number = session.requests.signature?.number { open.remove(number) }
        }
        defer { isSaving = false }
        return take(session.saved(at: now), .none)
      case 10: return takeFailure()
      case 11:
        defer { isSaving = false }
        return take(session.refused(), .refusal)
      case 12: return take(session.service(available: argument & 1 != 0), .none)
      case 13:
        session.setVisible(argument & 1 != 0, at: now)
        session.setSlides(available: argument & 2 != 0)
        return take(.none, .none)
      case 14:
        now += Int64(argument & 15) * Self.second
        return time()
      default:
        session.painted(argument & 4 != 0 ? nil : Int(argument & 3), at: now)
        return take(.none, .none)
      }
    }

    /// All requests end, and saving does: then nothing is open, and the pad takes a signature again.
    mutating func end() -> String? {
      if let fault = take(session.service(available: true), .none) { return fault }
      if isSaving, let fault = takeFailure() { return fault }
      if let fault = take(session.service(available: true), .none) { return fault }
      for number in open.sorted() {
        if let fault = take(session.withdraw(number, at: now), .withdrawal) { return fault }
      }
      for _ in 0..<8 {
        now += 30 * Self.second
        if let fault = time() { return fault }
      }
      return open.isEmpty ? nil : "requests \(open.sorted()) have no end"
    }

    /// Saving fails: ink whose request is open stays.
    private mutating func takeFailure() -> String? {
      defer { isSaving = false }
      isUnsaved = isUnsaved || isSaving && !isWithdrawn
      return take(session.notSaved(), isWithdrawn ? .withdrawal : .none)
    }

    private mutating func time() -> String? {
      if let fault = take(session.time(now), .time) { return fault }
      // Ink may be abandoned at the time of an invitation. Were it due for ever, the render thread would not sleep.
      for _ in 0..<3 {
        guard let deadline = session.deadline, deadline <= now else { return nil }
        if let fault = take(session.time(now), .time) { return fault }
      }
      return "a deadline that is never over in \(session.viewState.page)"
    }

    private mutating func open(_ argument: UInt8) -> String? {
      lastRequest += 1
      let kinds = [PadRequest.Kind.signature, .signature, .message, .question]
      var request = PadRequest(kinds[Int(argument & 3)], number: lastRequest)
      request.timeLimit = argument & 4 != 0 ? 5 * Self.second : nil
      open.insert(lastRequest)
      let layout =
        request.kind == .signature
        ? Self.layouts[0] : request.kind == .message ? Self.layouts[1] : Self.layouts[2]
      var reading: Reading?
      if request.kind == .signature, argument & 8 != 0 {
        let page = DocumentContent.Picture(
          digest: String(repeating: "a", count: 64), width: 1500, height: 1800)
        request.document = RequestDocument(
          client: 1, id: "d", name: "a.pdf", digest: String(repeating: "b", count: 64), count: 2)
        reading = Reading(
          .pictures([page, page]), glass: Point(Self.size.width, Self.size.height), pixelAspect: 1,
          parts: layout.parts, isEarly: false)
      }
      let scene = Scene(number: lastRequest, layout: layout, reading: reading)
      return take(session.open(TypesetRequest(request: request, scene: scene), at: now), .none)
    }

    private func button(_ argument: UInt8) -> Button {
      Self.buttons[Int(argument) % Self.buttons.count]
    }

    /// A place on the paper, or on a button.
    private func sample(_ argument: UInt8) -> Sample {
      var position = Point(40 + Float(argument & 7), 30)
      if argument & 8 != 0 {
        let layout = session.requests.scene.layout(of: session.viewState.page)
        position = layout.area(of: button(argument)).centre
      }
      return Sample(time: now, position: position)
    }

    /// The model's side of an action, and of the events.
    private mutating func take(_ action: SessionAction, _ cause: Cause) -> String? {
      if let fault = fault(of: action, cause) { return fault }
      switch action {
      case .none: break
      case .inkBegins: (strokes, isInking, isSaved) = (strokes + 1, true, false)
      case .inkBeginsAnew: (strokes, isInking, isSaved) = (1, true, false)
      case .inkGoesOn: break
      case .inkEnds: isInking = false
      case .inkTakenBack: (strokes, isInking) = (strokes - 1, false)
      case .wipe: (strokes, isInking, isSaved, isUnsaved) = (0, false, false, false)
      case .save: (isSaving, isInking, isWithdrawn) = (true, false, false)
      }
      var fault: String?
      session.report { event in
        switch event {
        case .refused(let number, _), .cancelled(let number, _), .timedOut(let number),
          .messageGone(let number, _, _), .answered(let number, _):
          if open.remove(number) == nil { fault = "a second end of request \(number): \(event)" }
        default: break
        }
      }
      return fault
    }

    private func fault(of action: SessionAction, _ cause: Cause) -> String? {
      switch action {
      case .none: return nil
      case .save: return strokes == 0 || isSaving || isSaved ? "saved: \(strokes) strokes" : nil
      case .inkBeginsAnew: return isSaved || strokes == 0 ? nil : "unsaved ink was replaced"
      case .inkBegins:
        return isSaving || isSaved ? "a stroke in saved ink" : isInking ? "two strokes" : nil
      case .inkGoesOn, .inkEnds: return isInking ? nil : "no stroke is open"
      case .inkTakenBack: return strokes == 0 || isSaving || isSaved ? "no stroke to remove" : nil
      case .wipe:
        if isSaving, cause != .withdrawal, cause != .refusal { return "wiped while saved" }
        if isUnsaved, cause == .time { return "wiped unsaved" }
        return cause == .none ? "\(strokes) strokes were wiped without a cause" : nil
      }
    }
  }
#endif
