import CLinux
import Linux
import Testing

@testable import Display

@Suite struct LightAttemptTests {
  private static let invalid = DisplayError.refused(.testCommit, Errno(EINVAL))

  /// The attempts that were made on a card whose driver refuses something, and the card after the last.
  private func light(
    _ choice: CommitChoice = .automatic, refusing refusals: [Refusal]
  ) throws -> (made: [LightAttempt], card: FakeCard) {
    var series = LightSeries(LightAttempt.all(choice, isAtomic: true))
    var card = FakeCard()
    let made = try card.light(by: &series, refusing: refusals)
    #expect(made.last == series.next)
    return (made, card)
  }

  @Test func `where nothing is refused everything is set at once, and the others go dark`() throws {
    let (made, card) = try light(refusing: [])
    #expect(made == [.atomic(darkensOthers: true, resetsColour: true)])
    #expect(card.outputs[40]?.planes == [30])
    #expect(card.outputs[41]?.isActive == false && card.outputs[41]?.planes == [])
    #expect(card.properties.contains(.gamma))
  }

  @Test func `an IPU of i.MX6 accepts the first state`() throws {
    let (made, _) = try light(refusing: [Refusals.imx6])
    #expect(made == [.atomic(darkensOthers: true, resetsColour: true)])
  }

  @Test func `an IPU of i.MX6 whose other output must stay on keeps that one's planes`() throws {
    let (made, card) = try light(refusing: [Refusals.imx6, Refusals.darkOthers])
    #expect(made.last == .atomic(darkensOthers: false, resetsColour: true))
    #expect(card.outputs[41]?.isActive == true && card.outputs[41]?.planes == [32])
    #expect(card.outputs[40]?.planes == [30])
  }

  @Test func `a VOP of Rockchip gets no plane beyond its layers, whoever's it was`() throws {
    #expect(try light(refusing: [Refusals.rockchip]).made.count == 1)
    let (made, card) = try light(refusing: [Refusals.rockchip, Refusals.darkOthers])
    #expect(made.last == .atomic(darkensOthers: false, resetsColour: true))
    #expect(card.outputs[40]?.planes == [30])
  }

  @Test func `where only colour is refused the others still go dark`() throws {
    let (made, card) = try light(refusing: [Refusals.colour])
    #expect(made.last == .atomic(darkensOthers: true, resetsColour: false))
    #expect(card.outputs[41]?.isActive == false)
  }

  @Test func `where both are refused the state is the least`() throws {
    let (made, _) = try light(refusing: [Refusals.colour, Refusals.darkOthers])
    #expect(made.last == .atomic(darkensOthers: false, resetsColour: false))
    #expect(made.count == 4)
  }

  @Test func `where each atomic state is refused SETCRTC is the last attempt`() throws {
    let (made, _) = try light(refusing: [Refusals.all])
    #expect(made.count == 5 && made.last == .legacy)
  }

  @Test func `only what the configuration allows is tried`() throws {
    #expect(throws: Self.invalid) { try light(.atomic, refusing: [Refusals.all]) }
    #expect(try light(.legacy, refusing: []).made == [.legacy])
    #expect(LightAttempt.all(.automatic, isAtomic: false) == [.legacy])
    #expect(LightAttempt.all(.atomic, isAtomic: false) == [])
  }

  @Test func `the properties of an object stand together`() {
    for darkensOthers in [true, false] {
      let state = AtomicState(
        showing: 7, mode: 9, pipeline: FakeCard.pipeline, plane: 30, survey: FakeCard.survey,
        darkensOthers: darkensOthers, resetsColour: true)
      var seen: [UInt32] = []
      for entry in state.values where seen.last != entry.object {
        #expect(!seen.contains(entry.object))
        seen.append(entry.object)
      }
    }
  }

  @Test func `a connector that vanished from a hub is left out, and the panel is lit at once`()
    throws
  {
    var card = FakeCard()
    card.removeConnector(11)
    var series = LightSeries(LightAttempt.all(.automatic, isAtomic: true))
    let made = try card.light(by: &series, refusing: [])
    #expect(made == [.atomic(darkensOthers: true, resetsColour: true)])
    #expect(card.outputs[40]?.planes == [30])
  }

  @Test func `a connector that vanishes between the look and the commit costs only an attempt`()
    throws
  {
    var card = FakeCard()
    card.removeConnector(11)
    var series = LightSeries(LightAttempt.all(.automatic, isAtomic: true))
    let made = try card.light(by: &series, refusing: [], lookingFirst: false)
    #expect(made.last == .atomic(darkensOthers: false, resetsColour: true))
  }

  @Test
  func `without the panel's own connector each attempt is refused, and a panel is looked for anew`()
    throws
  {
    var card = FakeCard()
    card.removeConnector(10)
    var series = LightSeries(LightAttempt.all(.atomic, isAtomic: true))
    let refusal = DisplayError.refused(.testCommit, Errno(ENOENT))
    #expect(throws: refusal) { try card.light(by: &series, refusing: []) }
    let survey = FakeCard.survey.connectors[0]
    #expect(refusal.ofFirstMode(on: nil) == .changed)
    #expect(refusal.ofFirstMode(on: survey) == refusal)
    var unplugged = survey
    unplugged.status = .disconnected
    #expect(Self.invalid.ofFirstMode(on: unplugged) == .changed)
  }
}
