import Foundation
import SyntheticHand
import Testing

@testable import Ink

/// The project's own hands under the project's own panels; the same numbers on every machine.
enum Corpus {
  static let pen = strokes(.pen, .tablet, signatures: 24, seed: 99)
  static let finger = strokes(.finger, .phone, signatures: 24, seed: 100)

  static func strokes(
    _ hand: LognormalHand, _ panel: Digitiser, signatures: Int, seed: UInt64
  ) -> [[Sample]] {
    var random = SeededRandom(seed: seed)
    return (0..<signatures).flatMap { _ in
      hand.signature(&random).map { panel.samples(of: $0, &random) }
    }
  }
}

@Suite struct FidelityTests {
  static let pen = Fidelity(Corpus.pen, seed: 1)
  static let finger = Fidelity(Corpus.finger, seed: 1)

  @Test func `the line follows a pen between its reports`() {
    let unseen = Self.pen.unseen
    print("pen unseen", unseen.percentile(0.5), unseen.percentile(0.9), unseen.percentile(0.99))
    #expect(unseen.percentile(0.5) <= 0.025)
    #expect(unseen.percentile(0.9) <= 0.090)
    #expect(unseen.percentile(0.99) <= 0.300)
  }

  @Test func `the line follows a finger between its reports`() {
    let unseen = Self.finger.unseen
    print("finger unseen", unseen.percentile(0.5), unseen.percentile(0.9), unseen.percentile(0.99))
    #expect(unseen.percentile(0.5) <= 0.130)
    #expect(unseen.percentile(0.9) <= 0.350)
    #expect(unseen.percentile(0.99) <= 0.610)
  }

  @Test func `jitter of a tenth of a millimetre leaves smooth ink`() {
    let noisy = Self.pen.noisy
    print("noisy", noisy.percentile(0.5), noisy.percentile(0.9), "turning", Self.pen.turning)
    #expect(noisy.percentile(0.5) <= 0.050)
    #expect(noisy.percentile(0.9) <= 0.130)
    #expect(Self.pen.turning <= 1.00)
  }

  @Test func `the line passes through the reports of a good panel`() {
    print("pass", Self.pen.pass.percentile(0.99))
    #expect(Self.pen.pass.percentile(0.99) <= 0.060)
  }

  @Test func `ink ends at the last sample`() {
    #expect((Self.pen.end + Self.finger.end).allSatisfy { $0 < 0.001 })
  }

  @Test func `half the report rate draws the same width`() {
    let width = Self.pen.width
    print("width", width.percentile(0.5), width.percentile(0.9))
    #expect(width.percentile(0.5) <= 0.03)
    #expect(width.percentile(0.9) <= 0.08)
  }

  @Test func `the tip hardly moves when it becomes final`() {
    #expect(Self.pen.tip.percentile(0.99) <= 0.25)
    #expect(Self.finger.tip.percentile(0.99) <= 0.25)
  }
}

/// The recordings beside the project, where they are: real hands, never committed.
@Suite struct HandwritingTests {
  @Test(
    .enabled(
      if: Handwriting.isThere, "there are no recordings in ../shared/recordings/handwriting"),
    arguments: [("word.svc", 1.0 / 200, 1e6), ("page.svc", 1, 1e9)])
  func `the line is true to real handwriting`(
    name: String, millimetres: Double, nanoseconds: Double
  ) throws {
    let text = try String(
      contentsOf: Handwriting.folder.appending(path: name), encoding: .utf8)
    let strokes = Handwriting.strokes(text, millimetres: millimetres, nanoseconds: nanoseconds)
    let found = Fidelity(strokes, seed: 1)
    print(
      name, "unseen", found.unseen.percentile(0.5), found.unseen.percentile(0.9),
      found.unseen.percentile(0.99), "noisy", found.noisy.percentile(0.5),
      found.noisy.percentile(0.9), "pass", found.pass.percentile(0.99))
    #expect(found.unseen.percentile(0.5) <= 0.025)
    #expect(found.unseen.percentile(0.9) <= 0.090)
    #expect(found.unseen.percentile(0.99) <= 0.300)
    #expect(found.noisy.percentile(0.5) <= 0.050)
    #expect(found.noisy.percentile(0.9) <= 0.130)
    #expect(found.pass.percentile(0.99) <= 0.060)
    #expect(found.end.allSatisfy { $0 < 0.001 })
    #expect(found.width.percentile(0.9) <= 0.08)
    #expect(found.tip.percentile(0.99) <= 0.25)
  }
}
