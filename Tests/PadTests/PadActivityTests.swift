import Control
import Ink
import Testing

@testable import Pad

@Suite struct PadActivityTests {
  @Test func `a request needs the panel until its notice is over`() {
    var activity = PadActivity()
    activity.opened(1)
    #expect(activity.isActive)
    for event: ControlEvent in [
      .state(.invited, request: 1, deadline: nil), .state(.signing, request: 1, deadline: nil),
      .state(.confirming, request: 1, deadline: nil), .cancelled(1, by: .person),
    ] {
      activity.follow(event)
      #expect(activity.isActive)
    }
    activity.follow(.state(.idle, request: nil, deadline: nil))
    #expect(!activity.isActive)
  }

  @Test func `a request that was never shown needs the panel until it is refused or cancelled`() {
    for event: ControlEvent in [
      .refused(3, .busy), .cancelled(3, by: .program), .messageGone(3, acknowledged: false),
    ] {
      var activity = PadActivity()
      activity.opened(3)
      activity.follow(.refused(2, .busy))
      #expect(activity.isActive)
      activity.follow(event)
      #expect(!activity.isActive)
    }
  }

  @Test func `a request that comes as the last notice ends needs the panel`() {
    var activity = PadActivity(isActive: true)
    activity.opened(2)
    activity.follow(.state(.idle, request: nil, deadline: nil))
    #expect(activity.isActive)
    activity.follow(.state(.message, request: nil, deadline: nil))
    activity.follow(.messageGone(2, acknowledged: true))
    activity.follow(.state(.idle, request: nil, deadline: nil))
    #expect(!activity.isActive)
  }

  @Test func `a question needs the panel until it is answered or gone`() {
    for end: ControlEvent in [.answered(4, choice: 1), .cancelled(4, by: .person), .timedOut(4)] {
      var activity = PadActivity()
      activity.opened(4)
      activity.follow(.state(.question, request: 4, deadline: nil))
      #expect(activity.isActive)
      activity.follow(end)
      activity.follow(.state(.idle, request: nil, deadline: nil))
      #expect(!activity.isActive)
    }
    var unseen = PadActivity()
    unseen.opened(5)
    unseen.follow(.answered(5, choice: 0))
    #expect(!unseen.isActive)
  }

  @Test func `a person signs until the signature is saved or given up, not during its notice`() {
    for end: ControlEvent in [.cancelled(1, by: .person), .timedOut(1), .signed(1, .blank)] {
      var activity = PadActivity()
      activity.follow(.state(.invited, request: 1, deadline: nil))
      #expect(!activity.isSigning)
      for state in [PadState.signing, .confirming] {
        activity.follow(.state(state, request: 1, deadline: nil))
        #expect(activity.isSigning)
      }
      activity.follow(end)
      #expect(!activity.isSigning && activity.isActive)
    }
    // The ink of an earlier start is not known to be saved yet.
    #expect(PadActivity(isActive: true).isSigning)
  }

  @Test func `an invitation of everybody does not need the panel, but a person who signs does`() {
    var activity = PadActivity()
    activity.follow(.state(.invited, request: nil, deadline: nil))
    #expect(!activity.isActive)
    activity.follow(.state(.signing, request: nil, deadline: nil))
    #expect(activity.isActive)
  }
}

extension SavedSignature {
  fileprivate static var blank: SavedSignature {
    SavedSignature(
      id: "a", digest: "ab", time: 1, reference: nil, width: 30, height: 10, dpi: 300, png: [],
      glass: Point(154, 86), strokes: [])
  }
}
