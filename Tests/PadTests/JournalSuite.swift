import Control
import Ink
import SpoolFixtures
import Touch

@testable import Pad

/// A suite whose tests write a journal in a folder of their own and recover it.
protocol JournalSuite {
  var folder: TemporaryFolder { get }
}

extension JournalSuite {
  func steps(_ stroke: Stroke) -> [GlassContact] {
    stroke.samples.enumerated().map { GlassContact($0 == 0 ? .down : .move, $1) }
      + [GlassContact(.up, stroke.samples[stroke.samples.count - 1])]
  }

  func left(isDraft: Bool = true) -> RecoveredState {
    (try? RecoveredState(in: folder.path) { _ in isDraft }) ?? RecoveredState()
  }

  func journal(_ left: RecoveredState = RecoveredState()) throws -> InkJournal {
    try InkJournal(in: folder.path, left)
  }

  var request: PadRequest {
    var request = PadRequest(.signature, number: 7)
    (request.reference, request.title, request.text) = ("4711", "Paket", "Für Frau Größe")
    (request.language, request.hasButton, request.deadline) = ("de", true, 99)
    return request
  }

  func ids() -> [String] { left(isDraft: false).signed.map(\.id) }
}
