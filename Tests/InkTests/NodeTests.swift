import Testing

@testable import Ink

@Suite struct NodeTests {
  @Test(arguments: [Node.Phase.initial, .start, .resting, .moving])
  func `all the time at rest counts`(phase: Node.Phase) {
    var node = Node(at: .zero, pressure: -1, law: .standard)
    node.phase = phase
    for ticks in [3, 4, 5] as [Float] { node.rest(Step(ticks)) }
    #expect(node.dwell.ticks == 12)
    #expect(node.isStart == (phase == .initial || phase == .start))
  }

  @Test(arguments: [false, true])
  func `ink starts the same after one long rest as after several short ones`(isAfterGap: Bool) {
    func draw(_ rests: [Float]) -> [Segment] {
      var node = Node(at: .zero, pressure: -1, law: .standard)
      if isAfterGap { node.restart() }
      for ticks in rests { node.rest(Step(ticks)) }
      var ink = RigidArray<Segment>(capacity: 8)
      let arrival = node.arrival(
        with: Motion(Point(3, 0), Point(0.4, 0)), after: Step(1), pressure: -1)
      node.draw(to: arrival, from: .zero, law: .standard, isTail: false, into: &ink)
      return (0..<ink.count).map { ink[$0] }
    }
    let (one, several) = (draw([10]), draw([2, 3, 5]))
    #expect(one.count == several.count && one.count > 1)
    for (a, b) in zip(one, several) {
      #expect(abs(a.p3.weight - b.p3.weight) < 1e-3)
      #expect((a.p1.position - b.p1.position).length < 1e-4)
    }
  }
}
