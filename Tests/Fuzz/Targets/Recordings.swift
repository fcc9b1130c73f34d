#if DEBUG
  import Ink
  import Linux

  @testable import Touch

  /// Recordings of hands.
  extension FuzzTarget {
    static let recordings = [
      FuzzTarget(name: "evemu", run: evemu),
      FuzzTarget(name: "libinput", run: libinput),
      FuzzTarget(name: "handwriting", run: handwriting),
    ]

    @Sendable private static func evemu(_ bytes: [UInt8]) -> String? {
      do throws(LineError) {
        return replay(try EvemuReader.read(bytes)) ?? named(bytes)
      } catch { return fault(error) ?? named(bytes) }
    }

    @Sendable private static func libinput(_ bytes: [UInt8]) -> String? {
      do throws(LineError) {
        return replay(try LibinputReader.read(bytes))
      } catch { return fault(error) }
    }

    @Sendable private static func handwriting(_ bytes: [UInt8]) -> String? {
      do throws(LineError) {
        let hand = try HandwritingReader.read(bytes)
        let strokes = hand.samples(unitsPerMillimetre: 100).map { Stroke($0) }
        for stroke in strokes where stroke.samples.isEmpty { return "an empty stroke: \(stroke)" }
        if strokes.reduce(0, { $0 + $1.samples.count }) < 500 {
          if let fault = DrawnFuzz(strokes, .ductus).fault { return fault }
          return replay(hand.recording(width: 100, height: 60))
        }
        return nil
      } catch { return fault(error) }
    }

    /// The format is detected without a fault, too.
    private static func named(_ bytes: [UInt8]) -> String? {
      do throws(RecordingError) {
        _ = try Recording(bytes, file: "r.evemu")
        return nil
      } catch { return error.text.isOneLine ? nil : "the reason is no line: \(error.text)" }
    }

    private static func fault(_ error: LineError) -> String? {
      error.reason.isOneLine ? nil : "the reason is no line: \(error.reason)"
    }

    /// Contacts begin, continue and end in order, on the glass.
    private static func replay(_ recording: DeviceRecording) -> String? {
      var recording = recording
      recording.completeDescription()
      var decoder = ContactDecoder(recording.device)
      var arbitration = TouchArbitration(.first)
      var serializer = StrokeSerializer()
      let geometry = GlassGeometry(recording.device, on: .init(width: 100, height: 60))
      var isDown = false
      var fault: String?
      func take(at time: Int64, _ isPenNear: Bool) {
        arbitration.process(
          decoder.frame, geometry: geometry, isPenNear: isPenNear, at: time)
        for index in arbitration.contacts.indices {
          serializer.put(arbitration.contacts[index])
          while let contact = serializer.next() {
            switch contact.phase {
            case .down: if isDown { fault = "down twice" }
            case .move: if !isDown { fault = "a move without a contact" }
            case .up, .cancel: break
            }
            isDown = contact.phase == .down || contact.phase == .move
            let place = contact.sample.position
            if !(place.x >= 0 && place.x <= 100 && place.y >= 0 && place.y <= 60) {
              fault = "a contact at \(place)"
            }
          }
        }
      }
      for event in recording.events where decoder.put(event) {
        take(at: event.time, decoder.isPenNear)
      }
      if decoder.cancelAll(at: 0) { take(at: 0, false) }
      return fault ?? (isDown ? "a contact without an end" : nil)
    }
  }
#endif
