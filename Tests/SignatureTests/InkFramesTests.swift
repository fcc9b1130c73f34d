import Ink
import SyntheticHand
import Testing

@testable import Signature

@Suite struct InkFramesTests {
  static let kinds = StrokeModel.Kind.allCases
  let word = SyntheticHand().paraph(at: Point(15, 55), height: 9).map { Stroke($0) }

  private func outlines(_ segments: [Segment], _ kind: StrokeModel.Kind) -> [Point] {
    var path = Path()
    for segment in segments { StrokeModel.outline(of: segment, by: kind, into: &path) }
    return path.points.indices.map { path.points[$0] }
  }

  @Test(arguments: kinds)
  func `all frames together have the finalised ink, in its order`(_ kind: StrokeModel.Kind) {
    var (ink, word): ([Segment], [Stroke]) = ([], self.word)
    // The panel lost reports.
    word[0] = Stroke(word[0].samples, gaps: [4, 9])
    for stroke in word {
      stroke.finalisedInk(by: kind) { segment, _ in ink.append(segment) }
    }
    let frames = InkFrames(of: word, by: kind, law: .standard, rate: 30).frames
    #expect(outlines(frames.flatMap(\.finalised), kind) == outlines(ink, kind))
    #expect(frames.last?.tail.isEmpty == true)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.number < $1.number })
  }

  @Test(arguments: kinds)
  func `ink within a line goes on from the segment before it`(_ kind: StrokeModel.Kind) throws {
    let frames = InkFrames(of: word, by: kind, law: .standard, rate: 60).frames
    var last: Segment?
    for frame in frames {
      if let joint = frame.joint {
        #expect(outlines([joint], kind) == outlines([try #require(last)], kind))
      }
      last = frame.finalised.last ?? last
    }
    // Each stroke starts without one.
    #expect(frames.count { $0.joint != nil } > frames.count / 2)
    #expect(frames.first?.joint == nil)
  }

  @Test(arguments: [1, 30, 60])
  func `the last frame is shown when the hand ended`(_ rate: Int) throws {
    let stroke = Stroke(
      (0...100).map { Sample(time: Int64($0) * 20_000_000, position: Point(Float($0), 3)) })
    let frames = InkFrames(of: [stroke], by: .ductus, law: .standard, rate: rate).frames
    #expect(frames.first?.number == 0)
    #expect(frames.last?.number == 2 * rate)
  }

  @Test func `long pauses are shortened, and time that steps back counts as 0`() {
    let times: [Int64] = [0, 60_000_000_000, 1_000, .max, .min, 0]
    let stroke = Stroke(
      times.enumerated().map { Sample(time: $1, position: Point(Float($0), 3)) })
    let frames = InkFrames(of: [stroke], by: .ductus, law: .standard, rate: 10).frames
    #expect(frames.map(\.number) == [0, 4, 8])
  }

  @Test func `a gap ends the ink before it`() throws {
    let samples = (0..<40).map { (number: Int) -> Sample in
      let x = Float(number < 20 ? number : number + 30)
      return Sample(time: Int64(number) * 10_000_000, position: Point(x, 3))
    }
    let frames = InkFrames(
      of: [Stroke(samples, gaps: [20])], by: .ductus, law: .standard, rate: 100
    ).frames
    let points = outlines(frames.flatMap { $0.finalised + $0.tail }, .ductus)
    #expect(!points.contains { $0.x > 25 && $0.x < 45 })
  }

  @Test func `without strokes there is one empty frame`() {
    let frames = InkFrames(of: [], by: .ductus, law: .standard, rate: 0).frames
    #expect(frames.count == 1 && frames[0].finalised.isEmpty && frames[0].tail.isEmpty)
  }
}
