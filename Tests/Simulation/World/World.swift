#if DEBUG
  import Glibc
  import Screen
  import SyntheticHand

  /// One pad, its programs and receivers, on one machine. A step is any of what may happen to them next.
  final class World {
    let disk = Disk()
    let facts: Facts
    let pad: PadProcess
    let handoff: HandoffProcess
    private let setting: Setting
    fileprivate let someone: Operator
    private var random: SeededRandom
    var log: ((String) -> Void)?

    /// - Parameter seed: Decides the machine; each step has a seed of its own.
    convenience init(seed: UInt64) throws {
      var random = SeededRandom(seed: seed)
      try self.init(seed: seed, Setting(&random))
    }

    init(seed: UInt64, _ setting: Setting) throws {
      random = SeededRandom(seed: seed)
      self.setting = setting
      disk.random = SeededRandom(seed: seed &+ 1)
      Disk.current = disk
      disk.capacity = setting.capacity
      if setting.hasRuntimeDirectory {
        setenv("RUNTIME_DIRECTORY", "/run/handoff", 1)
      } else {
        unsetenv("RUNTIME_DIRECTORY")
      }
      facts = Facts(hasPoison: setting.hasPoison)
      someone = Operator(disk: disk, facts: facts, setting: setting)
      pad = try PadProcess(disk, facts, setting)
      handoff = try HandoffProcess(disk, facts, setting)
      try pad.start()
      try handoff.start()
    }

    deinit { Disk.current = nil }

    /// What may happen next.
    private struct Kind {
      let weight: Int
      let name: String
      let run: @Sendable (World) throws -> Void
    }

    private static let kinds: [Kind] = [
      // The pad and its persons.
      Kind(weight: 50, name: "touch") { try $0.pad.touch(&$0.random) },
      Kind(weight: 25, name: "render") { try $0.pad.renderTurn() },
      Kind(weight: 25, name: "save") { try $0.pad.saveTurn() },
      Kind(weight: 25, name: "main") { try $0.pad.mainTurn() },
      Kind(weight: 14, name: "client") { try $0.pad.clientStep(&$0.random) },
      Kind(weight: 6, name: "due") { try $0.pad.timePasses() },
      Kind(weight: 4, name: "check") { $0.pad.beat() },
      Kind(weight: 2, name: "panel") { try $0.pad.togglePanel() },
      Kind(weight: 1, name: "other panel") { try $0.pad.replacePanel() },
      Kind(weight: 1, name: "touchscreen") { try $0.pad.toggleTouch() },
      Kind(weight: 1, name: "kill pad") { try $0.killPad() },
      Kind(weight: 1, name: "end pad") { try $0.pad.terminate() },
      // Handoff and its receivers.
      Kind(weight: 25, name: "deliver") { try $0.handoff.step() },
      Kind(weight: 25, name: "answer") { try $0.handoff.answer(&$0.random) },
      Kind(weight: 3, name: "mood") { $0.handoff.changeMood(&$0.random) },
      Kind(weight: 1, name: "network") { try $0.handoff.networkReturns() },
      Kind(weight: 1, name: "flush") { try $0.handoff.flush() },
      Kind(weight: 1, name: "kill handoff") { try $0.handoff.killSoon(&$0.random) },
      Kind(weight: 1, name: "end handoff") { $0.handoff.terminate() },
      // The machine.
      Kind(weight: 8, name: "moment") { $0.pass(0.001...0.4) },
      Kind(weight: 4, name: "seconds") { try $0.wait(1...6) },
      Kind(weight: 1, name: "minutes") { try $0.wait(30...200) },
      Kind(weight: 1, name: "full") {
        $0.disk.capacity = $0.disk.used + .random(in: 0...3000, using: &$0.random)
      },
      Kind(weight: 2, name: "room") { $0.disk.capacity = $0.setting.capacity },
      Kind(weight: 1, name: "fault") { $0.fail() },
      Kind(weight: 1, name: "read-only") { $0.disk.isReadOnly.toggle() },
      Kind(weight: 2, name: "write-back") { $0.disk.writeBack() },
      Kind(weight: 1, name: "power") { try $0.cutPower() },
      Kind(weight: 1, name: "damage") { $0.someone.damage(&$0.random) },
      Kind(weight: 1, name: "erase") { try $0.someone.erase(&$0.random) },
      Kind(weight: 1, name: "clock") { $0.setClock(&$0.random) },
    ]
    private static let total = kinds.reduce(0) { $0 + $1.weight }

    /// Does what the seed of a step says.
    func step(seed: UInt64) throws {
      random = SeededRandom(seed: seed)
      var choice = Int(random.next() % UInt64(Self.total))
      for kind in Self.kinds {
        choice -= kind.weight
        if choice >= 0 { continue }
        log?("\(kind.name) at \(disk.now / 1_000_000) ms")
        disk.pass(100_000)
        return try kind.run(self)
      }
    }

    /// No thread stands still for seconds.
    private func wait(_ seconds: ClosedRange<Double>) throws {
      try pad.saveTurn()
      try pad.mainTurn()
      try pad.renderTurn()
      pass(seconds)
    }

    private func pass(_ seconds: ClosedRange<Double>) {
      disk.pass(Int64(Double.random(in: seconds, using: &random) * 1e9))
    }

    private func fail() {
      let errors: [Int32] = [5, 28, 122]
      let calls = Int.random(in: 0...40, using: &random)
      disk.failure = (calls, errors[Int.random(in: 0..<3, using: &random)])
    }

    func setClock(_ random: inout SeededRandom) {
      disk.wall += .random(in: -86_400_000_000_000...86_400_000_000_000, using: &random)
      disk.isSynchronized = Bool.random(using: &random)
    }

    /// The pad is killed, now and then because its disk fails.
    private func killPad() throws {
      if Int.random(in: 0..<3, using: &random) == 0 { fail() }
      try pad.killSoon(&random)
    }

    private func cutPower() throws {
      if Bool.random(using: &random) {
        // Shortly after a crash, of which programs have heard.
        try killPad()
        for _ in 0..<6 { try pad.clientStep(&random) }
      }
      pad.ended()
      handoff.ended()
      // The chain, which would have mended the counter, is not synchronised.
      facts.chain.powerWasCut(counter: disk.counter)
      disk.cutPower()
      disk.isReadOnly = false
      try pad.start()
      try handoff.start()
      try facts.check(disk)
    }

    // MARK: - The end

    /// Everything works again: all signatures reach all receivers.
    ///
    /// - Parameter seed: Decides whether the disk stays full meanwhile.
    func end(seed: UInt64) throws {
      random = SeededRandom(seed: seed)
      disk.failure = nil
      disk.callsToKill = nil
      disk.isReadOnly = false
      // Crashes cannot be counted on a full disk.
      let mayBeFull = setting.hasRuntimeDirectory || !setting.hasPoison
      disk.capacity = mayBeFull && Bool.random(using: &random) ? disk.used : setting.capacity
      handoff.heal()
      try deliverAll()
      disk.capacity = setting.capacity
      for _ in 0..<20 {
        disk.pass(6_000_000_000)
        pad.beat()
        try pad.renderTurn()
        try pad.saveTurn()
        try pad.mainTurn()
      }
      try deliverAll()
      for item in disk.items {
        if let (manifest, digest) = disk.manifest(in: item.node) {
          try facts.published(manifest, digest: digest)
        }
      }
      try facts.check(disk)
      try facts.checkEnd()
    }

    fileprivate func deliverAll() throws {
      var rounds = 0
      while let waiting = facts.waiting(disk), waiting > 0 {
        rounds += 1
        if rounds > 400 { throw BrokenPromise("delivery stands still with \(waiting) items") }
        try handoff.step()
        while handoff.isDelivering { try handoff.answer(&random) }
        disk.pass(rounds < 200 ? 2_000_000_000 : 3_600_000_000_000)
      }
    }
  }

  /// For a long run.
  extension World {
    /// A person signs with a few strokes, and the threads and receivers do their work.
    func signOnce(_ random: inout SeededRandom) throws {
      for _ in 0..<Int.random(in: 6...20, using: &random) {
        try pad.touch(&random)
        disk.pass(10_000_000)
      }
      try pad.press(.done)
      for _ in 0..<2 {
        try pad.saveTurn()
        try pad.mainTurn()
        try pad.renderTurn()
      }
      disk.pass(2_500_000_000)
      try pad.timePasses()
      try handoff.step()
      for _ in 0..<4 { try handoff.answer(&random) }
    }

    /// All is delivered, nothing is retained any more, and what is done is forgotten here.
    func settle() throws {
      handoff.heal()
      try deliverAll()
      for _ in 0..<30 {
        disk.pass(60_000_000_000)
        pad.beat()
        try pad.renderTurn()
        try pad.saveTurn()
        try pad.mainTurn()
        try pad.timePasses()
        try handoff.step()
      }
      try deliverAll()
      disk.writeBack()
      try someone.eraseFailed()
      try facts.check(disk)
      facts.forgetDone(disk)
    }
  }
#endif
