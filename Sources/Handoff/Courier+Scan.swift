internal import CLinux
internal import Configuration
internal import Linux
internal import Spool

extension Courier {
  /// Watches first and looks then: what is published in between is seen twice and not missed.
  func scan(at now: Int64) {
    scanDue = now + configuration.rescan
    scanStarted = now
    do throws(SpoolError) {
      let spool = try Spool.open(at: configuration.spool)
      guard try claim(spool) else { return }
      do throws(SystemError) {
        _ = try watch.attach(to: spool)
      } catch { throw .system(error) }
      try prepare(spool, at: now)
      try look(into: spool, at: now)
      settleStuck(at: now)
      clear(.spool)
    } catch {
      note(.spool, error.text)
      scanDue = now + min(Self.troublePause, configuration.rescan)
    }
  }

  /// Once, before anything is read.
  private func prepare(_ spool: borrowing Spool, at now: Int64) throws(SpoolError) {
    spool.prepareRecords(of: configuration.sinks.map { $0.name })
    if isPrepared { return }
    isPrepared = true
    reading = crashes.counter(.reading)
    readsCarefully = reading.map { $0.count > 0 } ?? false || crashes.haveReadings
    let deliveries = crashes.deliveries()
    if deliveries.isEmpty { return }
    reading?.begin()
    defer { reading?.clear() }
    for delivery in deliveries where delivery.counter.isExhausted {
      guard isConfigured(delivery), known.insert(delivery.id) else { continue }
      settle(
        .fail(delivery.id, reason: Self.crashReason("delivering it to " + delivery.sink)), at: now)
    }
    for delivery in deliveries where !delivery.counter.isExhausted || !isConfigured(delivery) {
      try suspect(delivery, in: spool, at: now)
    }
  }

  private func isConfigured(_ delivery: CrashRecords.Delivery) -> Bool {
    configuration.sinks.contains { $0.name.isSame(as: delivery.sink) }
  }

  /// Has what was under way when the program ended delivered alone.
  private func suspect(
    _ delivery: CrashRecords.Delivery, in spool: borrowing Spool, at now: Int64
  ) throws(SpoolError) {
    var counter = delivery.counter
    let sink = configuration.sinks.firstIndex { $0.name.isSame(as: delivery.sink) }
    // Read now, and not found by the scan; or known already, by another sink's record.
    if let sink, counter.count > 0 {
      if let same = suspects.first(where: { $0.entry.id == delivery.id }) {
        guard queues[sink].remove(same.entry) else { return counter.clear() }
        return suspects.append(Suspect(sink: sink, entry: same.entry, counter: counter))
      }
      if known.insert(delivery.id), let (entry, states) = try read(delivery.id, in: spool, at: now)
      {
        for index in enqueue(entry, states, at: now) { queues[index].add([entry]) }
        if queues[sink].remove(entry) {
          return suspects.append(Suspect(sink: sink, entry: entry, counter: counter))
        }
      }
    }
    counter.clear()
  }

  static func crashReason(_ work: String) -> String {
    "ended paraph-handoff \(CrashCounter.limit) times: \(work)"
  }

  func note(_ trouble: Trouble, _ text: String) {
    if text != troubles[trouble] { log(.error, "paraph: \(text)") }
    troubles[trouble] = text
  }

  func clear(_ trouble: Trouble) {
    guard troubles.removeValue(forKey: trouble) != nil else { return }
    if trouble == .spool { log(.notice, "paraph: the spool works again") }
  }

  private func look(into spool: borrowing Spool, at now: Int64) throws(SpoolError) {
    var found: [ItemID] = []
    var foreign: [[UInt8]] = []
    do throws(SystemError) {
      try spool.new.forEachName { name in
        if let id = ItemID(name) {
          if !known.contains(id) { found.append(id) }
        } else if foreign.count < Self.sliceLength {
          foreign.append(name.indices.map { name[$0] })
        }
        return true
      }
    } catch { throw .system(error) }
    let aside = foreign.count { setAside($0, in: spool, at: now) }
    // There may be more of them than are taken at once.
    if aside == Self.sliceLength { scanDue = now }
    // Ids begin with the time, which mostly is the order of signing; the next one stands last.
    found.sort { ($0.high, $0.low) > ($1.high, $1.low) }
    for id in found.reversed() { known.insert(id) }
    unread = unread.isEmpty ? found : found + unread
  }

  private func setAside(_ name: [UInt8], in spool: borrowing Spool, at now: Int64) -> Bool {
    var ids = ItemIDSource()
    do throws(SpoolError) {
      let id: ItemID
      do throws(Errno) {
        id = try ids.next(at: WallClock.now)
      } catch { return false }
      let newName = try spool.moveForeign(name, as: id, reason: "is no signature's folder")
      metrics.countSetAside()
      troubles[.foreign(name)] = nil
      log(.warning, "paraph: set aside a strange entry of the spool as failed/\(newName)")
      return true
    } catch {
      note(.foreign(name), error.text)
      return false
    }
  }

  /// Reads some of the manifests that were found, so that nothing waits for all of them.
  func readSlice(at now: Int64) {
    guard !unread.isEmpty else { return }
    var fresh: [[QueueEntry]] = queues.map { _ in [] }
    reading?.begin()
    defer { reading?.clear() }
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.spool)
      for _ in 0..<Self.sliceLength {
        guard let id = unread.popLast() else { break }
        guard let (entry, states) = try read(id, in: spool, at: now) else { continue }
        for index in enqueue(entry, states, at: now) { fresh[index].append(entry) }
      }
    } catch {
      // Found again when there is a spool again.
      note(.spool, error.text)
      for id in unread { known.remove(id) }
      unread = []
      scanDue = now + Self.troublePause
    }
    // While the queues grow, this shrinks: a backlog takes its room once.
    if unread.count <= unread.capacity / 2 { unread = unread.map { $0 } }
    for index in queues.indices { queues[index].add(fresh[index]) }
    metrics.isChanged = true
  }

  /// Queues an item for the sinks that tried it before. Returns those that are still to be asked first. What is
  /// on record is not written again.
  private func enqueue(
    _ entry: QueueEntry, _ states: [String: SinkState], at now: Int64
  ) -> [Int] {
    var fresh: [Int] = []
    for (index, sink) in configuration.sinks.enumerated() {
      let state = states[sink.name] ?? SinkState()
      let verdict: Ledger.Verdict
      switch state.outcome {
      case .delivered: verdict = ledger.record(.delivered, of: index, for: entry.id)
      case .never:
        verdict = ledger.record(.never(state.reason ?? "refused"), of: index, for: entry.id)
      case .pending:
        if state.attempts == 0 {
          fresh.append(index)
        } else {
          queues[index].add(
            entry, attempts: state.attempts, isRejected: state.isRejected, at: now)
        }
        continue
      }
      switch verdict {
      case .wait: break
      case .settle: settle(.settle(entry.id, last: index), at: now)
      case .fail(let reason): settle(.fail(entry.id, reason: reason), at: now)
      }
    }
    return fresh
  }

  /// An item, and what was noted about it; nil for what is no item, has gone, or cannot be read now. Throws
  /// what stands in the way of every item.
  private func read(
    _ id: ItemID, in spool: borrowing Spool, at now: Int64
  ) throws(SpoolError) -> (QueueEntry, [String: SinkState])? {
    let entry: QueueEntry
    do throws(Item.Failure) {
      if hasEndedProgram(.manifest(id)) {
        settle(.fail(id, reason: Self.crashReason("reading its manifest")), at: now)
        return nil
      }
      defer { endCarefulReading() }
      let manifest = try Item.readManifest(of: id, in: spool.new)
      entry = QueueEntry(sequence: manifest.sequence, id: id)
    } catch {
      switch error {
      case .gone: known.remove(id)
      case .invalid(let flaw): settle(.fail(id, reason: flaw.reason), at: now)
      case .system(let error): try leave(id, .system(error))
      }
      return nil
    }
    do throws(SpoolError) {
      if hasEndedProgram(.records(id)) {
        let name = try spool.quarantineStates(
          of: id, reason: Self.crashReason("reading these records"))
        if let name {
          log(
            .error,
            "paraph: set aside the records of \(id.text) as failed/\(name): attempts and rejections count anew"
          )
        }
        crashes.forget(.records(id))
      }
      defer { endCarefulReading() }
      let states = try spool.states(of: id)
      clear(.item(id))
      return (entry, states)
    } catch { try leave(id, error) }
    return nil
  }

  /// Whether reading this has ended the program often enough; that stays on record until it is set aside. If not,
  /// it is on record until `endCarefulReading`, where reading has ended the program at all.
  private func hasEndedProgram(_ work: CrashRecords.Work) -> Bool {
    guard readsCarefully, var counter = crashes.counter(work) else { return false }
    // The first time it was read with others, on one record.
    if counter.count + 1 >= CrashCounter.limit { return true }
    counter.begin()
    carefulReading = counter
    return false
  }

  private func endCarefulReading() {
    carefulReading?.clear()
    carefulReading = nil
  }

  /// The next scan finds it again. A disk that fails in one place works in others; a process without
  /// descriptors or memory does not.
  private func leave(_ id: ItemID, _ error: SpoolError) throws(SpoolError) {
    known.remove(id)
    if case .system(let error) = error, [EMFILE, ENFILE, ENOMEM].contains(error.errno.rawValue) {
      throw .system(error)
    }
    note(.item(id), error.text)
  }

  /// What the kernel says about `new`.
  func takeNotices() {
    let now = MonotonicClock.now
    do throws(SystemError) {
      var arrived: [ItemID] = []
      if try watch.read({ arrived.append($0) }) { scanDue = now }
      for id in arrived where known.insert(id) {
        if isAlone(at: now) { unread.append(id) } else { welcome(id, at: now) }
      }
    } catch {
      note(.spool, error.text)
      scanDue = now
    }
  }

  /// An item that was published just now.
  private func welcome(_ id: ItemID, at now: Int64) {
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.spool)
      guard try claim(spool) else { return known.remove(id) }
      guard let (entry, states) = try read(id, in: spool, at: now) else { return }
      // An item that is retried comes with what was noted about it.
      if !states.isEmpty { return unread.append(id) }
      for index in queues.indices { queues[index].addFresh(entry, at: now) }
      metrics.isChanged = true
    } catch {
      known.remove(id)
      note(.spool, error.text)
      scanDue = now
    }
  }
}
