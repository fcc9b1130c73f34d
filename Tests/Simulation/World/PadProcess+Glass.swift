#if DEBUG
  import Configuration
  import Control
  import Ink
  import Linux
  import Raster
  import Screen
  import Touch

  @testable import Pad

  /// The render thread: what becomes of the ink.
  extension PadProcess {
    /// Why the session acts.
    enum Cause { case person, program, time, restart, result }

    func perform(_ action: SessionAction, by cause: Cause) throws {
      guard let running else { return }
      switch action {
      case .none: break
      case .inkBegins(let sample): begin(sample, running)
      case .inkBeginsAnew(let sample):
        try wipe(by: cause)
        record(.cancel, sample, running)
        begin(sample, running)
      case .inkGoesOn(let sample):
        let sample = marked(sample)
        running.strokes[running.strokes.count - 1].samples.append(sample)
        record(.move, sample, running)
      case .inkEnds:
        if let last = running.strokes.last?.samples.last { record(.up, last, running) }
      case .inkTakenBack:
        if let last = running.strokes.popLast()?.samples.last {
          record(.cancel, last, running, isMistake: true)
        }
        if running.strokes.isEmpty { token = 0 }
      case .wipe:
        try wipe(by: cause)
        record(.cancel, Sample(time: disk.now, position: .zero), running)
      case .save: try save(running)
      }
    }

    /// The sample with the number of its ink.
    private func marked(_ sample: Sample) -> Sample {
      var sample = sample
      sample.pressure = Float(token)
      return sample
    }

    private func begin(_ sample: Sample, _ running: RunningPad) {
      if running.strokes.isEmpty {
        token = facts.newToken()
        purposes[token - 20] = nil
        purposes[token] = running.session.requests.signature?.number
      }
      running.strokes.append(Stroke([marked(sample)]))
      record(.down, marked(sample), running)
    }

    private func record(
      _ phase: GlassContact.Phase, _ sample: Sample, _ running: RunningPad, isMistake: Bool = false
    ) {
      running.ring.push(GlassContact(phase, sample, isMistake: isMistake))
    }

    /// *Done*: what is on the glass becomes a signature, unless it is too short.
    private func save(_ running: RunningPad) throws {
      let length = running.strokes.reduce(0) { $0 + $1.length }
      guard length >= configuration.pad.minimumLength else {
        return try perform(running.session.refused(), by: .person)
      }
      if running.strokes.contains(where: { $0.token != token }) {
        throw BrokenPromise("the signature of ink \(token) has other ink")
      }
      let request = running.session.requests.signature
      if request?.number != purposes[token, default: request?.number] {
        throw BrokenPromise("ink \(token) is saved for a request that it was not drawn for")
      }
      running.isWithdrawn = false
      running.save.post(
        .publish(
          FinishedSignature(
            strokes: running.strokes, glass: resting.layout.glass, scale: scale,
            request: request?.number, reference: request?.reference,
            shown: ShownContent(title: "\(token)"), done: disk.now)))
    }

    /// Ink goes when it is saved, when somebody wants that, and when it is abandoned.
    private func wipe(by cause: Cause) throws {
      guard let running else { return }
      defer {
        running.strokes = []
        token = 0
      }
      if running.strokes.isEmpty || facts.acknowledged[token] != nil { return }
      switch cause {
      case .person, .program, .restart: return
      case .result: throw BrokenPromise("ink \(token) is wiped by a result")
      case .time:
        if unsavedSince != nil {
          throw BrokenPromise("ink \(token), which could not be saved, is wiped")
        }
        // The request's time is over.
        let page = running.session.viewState.page
        if page == .timedOut || page == .cancelled { return }
        if let limit = configuration.pad.abandonAfter, disk.now - lastTouch >= limit { return }
        throw BrokenPromise("ink \(token) is wiped without a reason")
      }
    }

    /// An invitation, and what else is no signature, has no ink below it.
    func checkGlass(_ running: RunningPad) throws {
      if running.strokes.isEmpty { return }
      switch running.session.viewState.page {
      case .idle, .message, .question:
        throw BrokenPromise("ink \(token) is on the glass of nobody's request")
      case .invitation:
        guard let request = running.session.requests.signature?.number else { return }
        if let purpose = purposes[token], purpose != request {
          throw BrokenPromise("ink \(token) is shown to the person of another request")
        }
      case .reading, .saved, .cancelled, .timedOut, .outOfService: return
      }
    }

    func report(_ running: RunningPad) {
      if let request = running.session.requests.signature, request.number != running.recorded {
        running.recorded = request.number
        running.save.post(.recordRequest(request))
      }
      running.session.report { running.main.post(.told([$0])) }
    }

    func renderTurn() throws {
      try run { running in
        for message in running.render.takeAll() {
          switch message {
          case .saved: try perform(running.session.saved(at: disk.now), by: .result)
          case .notSaved:
            try perform(
              running.session.notSaved(), by: running.isWithdrawn ? .program : .result)
            if running.session.viewState.page == .outOfService, !running.strokes.isEmpty {
              unsavedSince = disk.now
            }
          case .service(let isAvailable):
            let page = running.session.viewState.page
            try perform(running.session.service(available: isAvailable), by: .result)
            if page == .outOfService, running.session.viewState.page != .outOfService {
              try checkShown()
            }
          case .open(let request):
            try perform(running.session.open(request, at: disk.now), by: .program)
          case .withdraw(let number, let canceller):
            if running.session.requests.signature?.number == number { running.isWithdrawn = true }
            try perform(running.session.withdraw(number, by: canceller, at: disk.now), by: .program)
          default: break
          }
          report(running)
          try checkGlass(running)
        }
      }
    }

    /// A failure is shown for long enough to be read.
    private func checkShown() throws {
      defer { failedAt = nil }
      guard let failedAt, disk.now - failedAt < 4_000_000_000 else { return }
      throw BrokenPromise(
        "the failure is shown for \((disk.now - failedAt) / 1_000_000) ms only")
    }

    func timePasses() throws {
      try run { running in
        if let due = running.session.deadline, due > disk.now {
          disk.now = max(disk.now, min(due, disk.now + 2_000_000_000))
        }
        try perform(running.session.time(disk.now), by: .time)
        report(running)
        try checkGlass(running)
        try serve(running.control.time(disk.now), running)
      }
    }
  }
#endif
