extension FramePacer {
  /// When a frame with something new should be committed.
  func plan(at now: Int64) -> Plan {
    switch rhythm {
    case .unknown, .free: return Plan(at: now)
    case .timer: return Plan(at: max(now, lastCommit + period))
    case .vblank:
      guard let target = vblank(after: now + lead) else { return Plan(at: now) }
      return Plan(at: target - lead, target: target)
    }
  }

  /// The first vblank at or after `time`; nil while its phase is not known.
  func vblank(after time: Int64) -> Int64? {
    guard case .vblank(let last) = rhythm, time - last.time <= Self.memory else { return nil }
    let frames = max(0, time - last.time + period - 1) / period
    return last.time + max(1, frames) * period
  }

  /// Three flips in a row that came quicker than half a frame, a first sequence of 0 or one that stands
  /// still: no vblank paces this driver. A counter that was seen to count may wrap to 0.
  mutating func learn(time: Int64, sequence: UInt32, since: Int64) {
    fastFlips = time - lastShown < period / 2 ? fastFlips + 1 : 0
    lastShown = time
    if fastFlips >= 3 {
      rhythm = .timer
      return
    }
    switch rhythm {
    case .unknown where sequence == 0: rhythm = .timer
    case .unknown: rhythm = .vblank(Vblank(time: time, sequence: sequence))
    case .vblank(let last):
      if sequence == last.sequence {
        rhythm = .timer
        return
      }
      refine(from: last, to: time, frames: Int64(sequence &- last.sequence))
      rhythm = .vblank(Vblank(time: time, sequence: sequence))
    case .timer, .free: break
    }
  }

  /// Clocks of panels are off by parts in a thousand: an eighth of each difference is believed.
  private mutating func refine(from last: Vblank, to time: Int64, frames: Int64) {
    guard (1...120).contains(frames), time > last.time else { return }
    let measured = (time - last.time) / frames
    guard let nominal else {
      period = max(measured, 2_000_000)
      return
    }
    if abs(measured - nominal) < nominal / 20 { period += (measured - period) / 8 }
  }

  /// Frames that come too late again and again are committed too late: earlier from now on, at most half a
  /// frame; after two hundred hits a little later again.
  mutating func judge(_ flight: Flight, shownAt time: Int64) {
    guard let target = flight.target else { return }
    if time > target + period / 2 {
      missed += 1
      if hits < Self.steady { lead = min(lead + 250_000, period / 2) }
      hits = 0
    } else {
      hits += 1
      if hits % 200 == 0 { lead = max(lead - 250_000, Self.baseLead) }
    }
  }
}
