#if DEBUG
  import Configuration
  import Ink
  import Linux
  import Raster
  import Screen
  import Spool
  import SyntheticHand
  import Touch

  @testable import Control
  @testable import Pad

  /// paraphd with persons and programs: its threads take turns in any order.
  final class PadProcess {
    let disk: Disk
    let facts: Facts
    let setting: Setting
    let resting = Scene(layout: Layout(width: 150, height: 90, parts: LayoutParts(undo: true)))
    let scale = Scale(x: 6, y: 6)
    let configuration: PadConfiguration
    let drawing: SignatureDrawing
    let sizeProblem: String?
    /// Nil: the process does not run.
    var running: RunningPad?
    /// Starts that have ended before all was restored, in a row.
    private var failedStarts = 0

    // The hardware.
    var isLit = true
    var hasTouch = true
    var contact: Int32 = 0
    var isDown = false
    /// Where the contact came down.
    var lastPlace = Point.zero

    // What the person knows.
    /// The number of the ink on the glass; 0: none.
    var token = 0
    var lastTouch: Int64 = 0
    /// Saving failed and the person has not touched the pad since.
    var unsavedSince: Int64?
    /// When saving failed last, for as long as the person must see it.
    var failedAt: Int64?
    /// The request for which each ink was begun; nil: none.
    var purposes: [Int: Int64?] = [:]

    // What the journal must restore.
    /// The strokes that the save thread has taken.
    var journaled: [Stroke] = []
    /// The strokes that it is about to take; nil: it is not at work.
    var taken: [Stroke]?
    /// The ink that was saved last.
    var publishedToken = 0
    var hasJournal = true
    private var journalBoot = 1

    var clients = [Client(name: "a"), Client(name: "b")]
    var lastConnection = 0

    init(_ disk: Disk, _ facts: Facts, _ setting: Setting) throws {
      self.disk = disk
      self.facts = facts
      self.setting = setting
      configuration = try PadConfiguration(
        setting.pad, file: "pad", models: StrokeModel.Kind.allCases.map { $0.rawValue })
      drawing = SignatureDrawing(
        wishes: configuration.signature, model: StrokeModel.Kind(configuration.ink),
        theme: Theme(configuration))
      sizeProblem = drawing.sizeProblem(on: resting.layout.glass.size, panel: scale)
    }

    // MARK: - Life

    func start() throws {
      disk.process = 0
      if disk.node("/run/pad/journal") == nil { forgetOwed() }
      let recovery = JournalRecovery(in: "/run/pad", log: { _, _ in }) {
        Spool.hasDraft($0, at: "/spool")
      }
      if disk.isKilled { return try died(isFailedStart: true) }
      let state = recovery.state
      try checkRestored(state)
      if let token = state.strokes.first?.token, facts.isPoisonInk(token) {
        // What is set aside with it is not offered again.
        forgetOwed()
        return try died(isFailedStart: true)
      }
      let rules = SessionRules(configuration)
      let running = try RunningPad(Session(resting: resting, rules: rules), recovery)
      self.running = running
      for signature in state.signed { running.control.restore(signature, at: disk.now) }
      if let request = state.request {
        running.request = request
        running.control.restore(
          request, in: state.isDone ? .confirming : state.strokes.isEmpty ? .invited : .signing,
          at: disk.now)
        running.session.show(typeset(request))
      }
      token = state.strokes.first?.token ?? 0
      journaled = state.strokes
      hasJournal = true
      lastTouch = disk.now
      (unsavedSince, failedAt) = (nil, nil)
      isDown = false
      let action = running.session.restore(
        strokes: state.strokes.count, isDone: state.isDone, at: disk.now)
      try perform(action, by: .restart)
      if isLit { running.gate.open(at: disk.now) }
      running.session.setVisible(isLit, at: disk.now)
      taken = state.strokes
      let loop = SaveLoop(
        configuration, files: SignatureFiles(drawing: drawing, device: "d"), ink: running.ring,
        recovered: state, sizeProblem: sizeProblem, runtimeDirectory: "/run/pad",
        messages: running.save, render: running.render, main: running.main)
      running.work = loop.begin()
      if disk.isKilled { return try died(isFailedStart: true) }
      taken = nil
      running.save.post(.settle)
      failedStarts = 0
      // Nobody signs before the pad knows whether it can save.
      try renderTurn()
    }

    /// A journal is lost, with the signatures that programs have not read.
    private func forgetOwed() {
      for place in clients.indices { clients[place].isOwedNothing() }
    }

    /// The process has ended.
    func ended() {
      disk.process = 0
      // What its parts do at their end has no effect any more.
      disk.kill()
      running = nil
      for place in clients.indices { clients[place].disconnect() }
      disk.ended(0)
    }

    private func died(isFailedStart: Bool = false) throws {
      ended()
      failedStarts = isFailedStart ? failedStarts + 1 : 0
      // One start is killed from outside, and three by what they restore.
      if failedStarts > 8 { throw BrokenPromise("no start succeeds with this journal") }
      try start()
    }

    /// The ink of before is on the glass again, or is saved.
    private func checkRestored(_ state: RecoveredState) throws {
      defer { taken = nil }
      guard hasJournal, disk.boot == journalBoot, failedStarts == 0 else {
        journalBoot = disk.boot
        return
      }
      let (known, next) = (journaled, taken ?? journaled)
      if state.strokes == known || state.strokes == next { return }
      // A journal that could not be written is given up, and the log says so.
      if disk.node("/run/pad/journal") == nil { return }
      let (before, after) = (known.first?.token ?? 0, next.first?.token ?? 0)
      let found = state.strokes.first?.token ?? 0
      if found == 0, [before, after].contains(where: { $0 > 0 && facts.isInSpool($0, disk) }) {
        return
      }
      // Killed while it wrote: a part of what was new may be there.
      if taken != nil,
        before == after ? [0, found].contains(before) : [0, before, after].contains(found)
      {
        return
      }
      throw BrokenPromise(
        "ink \(before) of \(known.count) strokes is gone: \(state.strokes.count) are restored")
    }

    func run(_ body: (RunningPad) throws -> Void) throws {
      disk.process = 0
      if running == nil { return try start() }
      try lend(body)
      if disk.isKilled { try died() }
    }

    /// A function of its own, so that nobody else holds the process's parts when it ends.
    @inline(never) private func lend(_ body: (RunningPad) throws -> Void) throws {
      if let running { try body(running) }
    }

    /// Its process is killed, within the next calls or after them.
    func killSoon(_ random: inout SeededRandom) throws {
      disk.callsToKill = .random(in: 0...60, using: &random)
      if Bool.random(using: &random) { try press(.done) }
      for _ in 0..<3 where disk.callsToKill != nil {
        try saveTurn()
        try mainTurn()
        try renderTurn()
      }
      if disk.callsToKill == nil { return }
      disk.callsToKill = nil
      disk.process = 0
      try died()
    }

    /// Its process gets SIGTERM.
    func terminate() throws {
      try run { running in
        running.recovery.finish()
        if isDown { try take(.cancel, .zero, running) }
        try renderTurn()
      }
      for _ in 0..<2 {
        try run { try handleMain($0, tellsRender: false) }
        try saveTurn()
      }
      let journal = disk.node("/run/pad/journal")
      try run { running in
        try handleMain(running, tellsRender: false)
        InkJournal.amend(in: "/run/pad", running.save.takeAll().compactMap { $0.journalRecord })
      }
      if journal != nil, !journaled.isEmpty, disk.node("/run/pad/journal") == nil {
        throw BrokenPromise("a pad that is ended loses ink \(token)")
      }
      ended()
      try start()
    }

    func typeset(_ request: PadRequest) -> TypesetRequest {
      var parts = LayoutParts(
        undo: true, cancel: request.hasButton, countdown: request.timeLimit != nil)
      if request.kind == .message { parts.message = request.hasButton ? .understood : .none }
      let layout = Layout(width: 150, height: 90, parts: parts)
      return TypesetRequest(request: request, scene: Scene(number: request.number, layout: layout))
    }
  }

  extension Stroke {
    /// The number of the ink that it is of.
    var token: Int { Int(samples.first?.pressure ?? 0) }
  }
#endif
