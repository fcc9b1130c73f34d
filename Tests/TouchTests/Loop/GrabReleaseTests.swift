import Testing

@testable import Touch

@Suite struct GrabReleaseTests {
  private let second: Int64 = 1_000_000_000

  @Test func `a grab ends at once while nothing touches the glass`() {
    var release = GrabRelease()
    let isNow = release.ask(isTouched: false, at: 0)
    #expect(isNow && release.deadline == nil)
    #expect(release.milliseconds(300, at: 0) == 300)
  }

  @Test func `a contact delays it until it is lifted`() {
    var release = GrabRelease()
    let isNow = release.ask(isTouched: true, at: 0)
    let isEarly = release.isDue(isTouched: true, at: second)
    let isDue = release.isDue(isTouched: false, at: 2 * second)
    let isAgain = release.isDue(isTouched: false, at: 2 * second)
    #expect([isNow, isEarly, isDue, isAgain] == [false, false, true, false])
  }

  @Test func `a contact that never ends delays it by five seconds`() {
    var release = GrabRelease()
    _ = release.ask(isTouched: true, at: 0)
    #expect(release.milliseconds(-1, at: second) == 4000)
    #expect(release.milliseconds(300, at: second) == 300)
    let isEarly = release.isDue(isTouched: true, at: 5 * second - 1)
    let isDue = release.isDue(isTouched: true, at: 5 * second)
    #expect(!isEarly && isDue)
  }

  @Test func `a delayed end can be cancelled`() {
    var release = GrabRelease()
    _ = release.ask(isTouched: true, at: 0)
    release.cancel()
    let isDue = release.isDue(isTouched: false, at: 9 * second)
    #expect(!isDue && release.deadline == nil)
  }
}
