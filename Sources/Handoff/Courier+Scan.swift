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
      try look(into: spool, at: now)
      settleStuck(at: now)
      if unsettled.isEmpty { clear(.spool) }
    } catch {
      note(.spool, error.text)
      scanDue = now + min(Self.troublePause, configuration.rescan)
    }
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
      let newName = try spool.setAside(name, as: id, reason: "is no signature's folder")
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
    do throws(SpoolError) {
      let spool = try Spool(at: configuration.spool)
      for _ in 0..<Self.sliceLength {
        guard let id = unread.popLast() else { break }
        guard let (entry, states) = try read(id, in: spool, at: now) else { continue }
        for (index, sink) in configuration.sinks.enumerated() {
          let state = states[sink.name] ?? SinkState()
          switch state.outcome {
          case .delivered: conclude(.delivered, of: index, entry, at: now)
          case .never: conclude(.never(state.reason ?? "refused"), of: index, entry, at: now)
          case .pending where state.attempts == 0: fresh[index].append(entry)
          case .pending: queues[index].add(entry, attempts: state.attempts, at: now)
          }
        }
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

  /// An item, and what was noted about it; nil for what is no item, has gone, or cannot be read now. Throws
  /// what stands in the way of every item.
  private func read(
    _ id: ItemID, in spool: borrowing Spool, at now: Int64
  ) throws(SpoolError) -> (QueueEntry, [String: SinkState])? {
    let entry: QueueEntry
    do throws(Item.Failure) {
      let manifest = try Item.readManifest(of: id, in: spool.new)
      entry = QueueEntry(sequence: manifest.sequence, id: id)
    } catch {
      switch error {
      case .gone: known.remove(id)
      case .flaw(let flaw): settle(.fail(id, reason: flaw.reason), at: now)
      case .system(let error): try leave(id, .system(error))
      }
      return nil
    }
    do throws(SpoolError) {
      let states = try spool.states(of: id)
      clear(.item(id))
      return (entry, states)
    } catch { try leave(id, error) }
    return nil
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
      for id in arrived where known.insert(id) { welcome(id, at: now) }
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
