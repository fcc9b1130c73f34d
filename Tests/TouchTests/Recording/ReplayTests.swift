import CLinux
import Ink
import Linux
import Testing
import Touch

/// Every recording that lies beside the project, or in the folder that PARAPH_RECORDINGS names, whatever it is of.
@Suite(.enabled(if: !SharedRecordings.all.isEmpty, "there is no ../shared/recordings"))
struct ReplayTests {
  /// One stroke on the glass, in device units.
  private struct Stroke {
    var contact: Int32
    var samples: [Sample]
  }

  private struct Replay {
    var contacts: [Int32: [ContactEvent]] = [:]
    var strokes: [Stroke] = []
    var isPenThere = false

    init(_ recording: DeviceRecording) {
      var decoder = ContactDecoder(recording.device, state: recording.state)
      var arbitration = TouchArbitration()
      let geometry = GlassGeometry(recording.device, unitsPerMillimetre: (1, 1))
      for event in recording.events where decoder.put(event) {
        isPenThere = isPenThere || decoder.isPenNear
        for index in decoder.frame.indices {
          contacts[decoder.frame[index].contact, default: []].append(decoder.frame[index])
        }
        arbitration.process(
          decoder.frame, geometry: geometry, isPenNear: decoder.isPenNear, at: event.time)
        for index in arbitration.contacts.indices { take(arbitration.contacts[index]) }
      }
    }

    private mutating func take(_ contact: GlassContact) {
      switch contact.phase {
      case .down:
        strokes.append(Stroke(contact: contact.contact, samples: [contact.sample]))
      case .move: strokes[strokes.count - 1].samples.append(contact.sample)
      case .up: break
      case .cancel: if contact.isMistake { strokes.removeLast() }
      }
    }

    /// Contacts that came while nobody else was there, were a finger or a pen on the glass all the time, and
    /// stayed for longer than any ghost.
    var hands: [[ContactEvent]] {
      contacts.values.filter { events in
        guard let first = events.first, let last = events.last, last.phase == .up,
          first.phase == .down, last.time - first.time > 30_000_000
        else { return false }
        let isAlone = contacts.values.allSatisfy { others in
          others[0].contact == first.contact || others[0].time >= last.time
            || others[others.count - 1].time <= first.time
        }
        return isAlone
          && events.allSatisfy {
            ($0.tool == .pen || $0.tool == .finger && !isPenThere) && !$0.isHovering
              && !$0.isResting
          }
      }
    }
  }

  /// How often something says that a touch begins; nil of protocol A, where nothing does.
  private func begins(_ recording: DeviceRecording) -> Int? {
    if recording.events.contains(where: { $0.type == EV_SYN && $0.code == SYN_MT_REPORT }) {
      return nil
    }
    return recording.events.count {
      switch (Int32($0.type), Int32($0.code)) {
      case (EV_ABS, ABS_MT_TRACKING_ID): $0.value >= 0
      case (EV_KEY, BTN_TOUCH), (EV_KEY, BTN_LEFT): $0.value == 1
      default: false
      }
    }
  }

  /// Values that the device stated on the axes.
  private func stated(_ recording: DeviceRecording, _ axes: [Int32], _ before: Int32?) -> Set<Float>
  {
    var values = Set(before.map { [Float($0)] } ?? [])
    for event in recording.events
    where Int32(event.type) == EV_ABS && axes.contains(Int32(event.code)) {
      values.insert(Float(event.value))
    }
    return values
  }

  @Test func `ink comes only from touches, begins where they do, and no touch is without it`()
    throws
  {
    var (files, strokes, hands) = (0, 0, 0)
    for path in SharedRecordings.all {
      guard case .device(let recording) = try Recording(contentsOf: path) else { continue }
      let replay = Replay(recording)
      if let begins = begins(recording) { #expect(replay.strokes.count <= begins, "\(path)") }
      let xs = stated(recording, [ABS_X, ABS_MT_POSITION_X], recording.state.x)
      let ys = stated(recording, [ABS_Y, ABS_MT_POSITION_Y], recording.state.y)
      for sample in replay.strokes.flatMap(\.samples) {
        #expect(
          xs.contains(sample.position.x) && ys.contains(sample.position.y), "\(path): \(sample)")
      }
      let starts = Set(replay.strokes.map { $0.samples[0].time })
      for hand in replay.hands {
        let isDrawn = hand.prefix(2).contains { starts.contains($0.measured) }
        #expect(isDrawn, "\(path): no ink of \(hand[0])")
      }
      files += 1
      strokes += replay.strokes.count
      hands += replay.hands.count
    }
    print("replayed: \(files) recordings, \(strokes) strokes, \(hands) of hands alone")
    #expect(files > 0 && strokes > 0 && hands > 0)
  }

  /// What was before the cut is what it is in the whole file.
  @Test func `a recording that is cut off anywhere keeps the contacts that were there before`()
    throws
  {
    let isSoak = getenv("PARAPH_SOAK") != nil
    for path in SharedRecordings.all {
      let descriptor = try FileDescriptor(opening: path, O_RDONLY)
      let bytes = try #require(try descriptor.readAll(limit: 1 << 24))
      guard case .device(let whole) = try Recording(bytes, file: path) else { continue }
      let head = min(bytes.count, 9000)
      let cuts =
        Array(stride(from: 1, to: head, by: isSoak ? 1 : 97))
        + Array(stride(from: head, to: bytes.count, by: max(1, bytes.count / (isSoak ? 200 : 8))))
      for cut in cuts {
        let part: Recording
        do throws(RecordingError) { part = try Recording(Array(bytes[..<cut]), file: "r") } catch {
          #expect(error.text.hasPrefix("r:"), "\(path) cut at \(cut)")
          continue
        }
        guard case .device(let part) = part else {
          Issue.record("\(path) cut at \(cut) is another kind of file")
          continue
        }
        // The last line may be a shorter number.
        #expect(whole.events.starts(with: part.events.dropLast()), "\(path) cut at \(cut)")
      }
    }
  }
}
