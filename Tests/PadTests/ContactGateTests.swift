import Ink
import Testing
import Touch

@testable import Pad

@Suite struct ContactGateTests {
  private func report(
    _ phase: GlassContact.Phase, _ contact: Int32, at time: Int64 = 0
  ) -> GlassContact {
    GlassContact(phase, Sample(time: time, position: .zero), contact: contact)
  }

  private func passes(_ gate: inout ContactGate, _ reports: [GlassContact]) -> [Bool] {
    var passed: [Bool] = []
    for report in reports { passed.append(gate.passes(report)) }
    return passed
  }

  @Test func `a closed gate, as at first, passes nothing`() {
    var gate = ContactGate()
    #expect(!gate.isOpen)
    let passed = passes(&gate, [report(.down, 0), report(.move, 0), report(.up, 0)])
    #expect(passed == [false, false, false])
  }

  @Test func `a contact that began after the opening passes until its end`() {
    var gate = ContactGate()
    gate.open(at: 100)
    let passed = passes(
      &gate, [report(.down, 3, at: 100), report(.move, 3, at: 101), report(.up, 3, at: 102)])
    #expect(passed == [true, true, true])
  }

  @Test func `a contact from before the opening does not pass`() {
    var gate = ContactGate()
    _ = gate.passes(report(.down, 3, at: 50))
    gate.open(at: 100)
    let passed = passes(
      &gate,
      [report(.move, 3, at: 110), report(.up, 3, at: 120), report(.down, 4, at: 130)])
    #expect(passed == [false, false, true])
  }

  @Test func `a contact that began before the opening but is read later does not pass`() {
    var gate = ContactGate()
    gate.open(at: 100)
    let passed = passes(
      &gate,
      [
        report(.down, 3, at: 99), report(.move, 3, at: 101), report(.down, 4, at: 102),
        report(.up, 3, at: 103),
      ])
    #expect(passed == [false, false, true, false])
  }

  @Test func `a contact that passed does not pass again after a closing`() {
    var gate = ContactGate()
    gate.open(at: 100)
    _ = gate.passes(report(.down, 3, at: 110))
    gate.close()
    let isOpen = gate.isOpen
    #expect(!isOpen)
    let closed = gate.passes(report(.move, 3, at: 120))
    gate.open(at: 130)
    let open = gate.passes(report(.up, 3, at: 140))
    #expect(!closed && !open)
  }

  @Test func `a second opening changes nothing`() {
    var gate = ContactGate()
    gate.open(at: 100)
    gate.open(at: 200)
    let passed = passes(&gate, [report(.down, 3, at: 110)])
    #expect(passed == [true])
    gate.open(at: 300)
    let later = passes(&gate, [report(.move, 3, at: 120)])
    #expect(later == [true])
  }

  @Test func `0 follows the greatest number`() {
    var gate = ContactGate()
    gate.open(at: 0)
    let passed = passes(
      &gate,
      [
        report(.down, .max - 1), report(.down, .max), report(.down, 0), report(.move, .max),
        report(.down, .max - 2),
      ])
    #expect(passed == [true, true, true, true, false])
  }

  @Test func `a gate that is never closed passes all numbers, again and again`() {
    var gate = ContactGate()
    gate.open(at: 0)
    var (number, refused): (Int32, [Int32]) = (7, [])
    for _ in 0..<100 {
      if !gate.passes(report(.down, number)) { refused.append(number) }
      number = (number &+ 100_000_007) & .max
    }
    #expect(refused == [])
  }
}
