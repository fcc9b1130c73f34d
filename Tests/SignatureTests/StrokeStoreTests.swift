import Ink
import Signature
import SyntheticHand
import Testing

@Suite struct StrokeStoreTests {
  private func sample(_ index: Int) -> Sample {
    Sample(time: Int64(index), position: Point(Float(index), 1))
  }

  @Test func `a full store accepts neither a sample nor a stroke`() {
    var store = StrokeStore(capacity: 3)
    let taken = [store.begin(sample(0)), store.extend(sample(1)), store.begin(sample(2))]
    #expect(taken == [true, true, true])
    let refused = [store.extend(sample(3)), store.begin(sample(3))]
    #expect(refused == [false, false])
    let (count, samples) = (store.count, store.sampleCount)
    #expect(count == 2 && samples == 3)
    let strokes = store.strokes()
    #expect(strokes.map(\.samples.count) == [2, 1])
    store.removeAll()
    #expect(store.begin(sample(4)) == true)
    let again = store.strokes()
    #expect(again == [Stroke([sample(4)])])
  }

  @Test func `a store without room for a stroke accepts none, and the last one continues`() {
    var store = StrokeStore(capacity: 5000)
    for index in 0..<StrokeStore.strokeCapacity { #expect(store.begin(sample(index)) == true) }
    #expect(store.begin(sample(0)) == false)
    #expect(store.extend(sample(1)) == true)
    let (count, samples) = (store.count, store.sampleCount)
    #expect(count == StrokeStore.strokeCapacity && samples == count + 1)
    let last = store.stroke(count - 1)
    #expect(last.samples.count == 2)
  }

  @Test func `each stroke has its own gaps`() {
    var store = StrokeStore(capacity: 100)
    var expected: [Stroke] = []
    for stroke in 0..<9 {
      var kept = Stroke([])
      for index in 0..<10 {
        // Also between the end of a stroke and the start of the next one, which it belongs to.
        let isGap = (index * 7 + stroke) % 4 == 0
        if isGap {
          #expect(store.markGap() == true)
          kept.gaps.append(index)
        }
        let sample = sample(stroke * 10 + index)
        let isTaken = index == 0 ? store.begin(sample) : store.extend(sample)
        #expect(isTaken)
        kept.samples.append(sample)
      }
      expected.append(kept)
    }
    let strokes = store.strokes()
    #expect(strokes == expected)
  }

  @Test func `strokes are copied out without looking through all gaps for each`() {
    func store(gaps: Bool) -> StrokeStore {
      var store = StrokeStore(capacity: 10_000)
      for index in 0..<StrokeStore.strokeCapacity {
        _ = store.begin(sample(index))
        if gaps { _ = store.markGap() }
        _ = store.extend(sample(index))
      }
      return store
    }
    let plain = store(gaps: false)
    let gapped = store(gaps: true)
    let alone = processorTime { _ = plain.strokes() }
    let both = processorTime { _ = gapped.strokes() }
    let gaps = gapped.strokes().map(\.gaps)
    #expect(gaps == Array(repeating: [1], count: StrokeStore.strokeCapacity))
    // By looking through all it is a hundred times.
    #expect(both < 12 * alone + 0.05)
  }

  @Test func `an emptied store has no gaps of strokes that are gone`() {
    var store = StrokeStore(capacity: 10)
    for isGap in [true, false] {
      store.removeAll()
      let isBegun = store.begin(sample(0))
      let isMarked = !isGap || store.markGap()
      let isExtended = store.extend(sample(1))
      #expect(isBegun && isMarked && isExtended)
      let gaps = store.stroke(0).gaps
      #expect(gaps == (isGap ? [1] : []))
    }
  }

  @Test func `a full list of gaps takes no more`() {
    var store = StrokeStore(capacity: 5000)
    #expect(store.begin(sample(0)) == true)
    for index in 1...StrokeStore.strokeCapacity {
      #expect(store.markGap() == true)
      #expect(store.extend(sample(index)) == true)
    }
    #expect(store.markGap() == false)
    let gaps = store.stroke(0).gaps
    #expect(gaps == Array(1...StrokeStore.strokeCapacity))
  }
}
