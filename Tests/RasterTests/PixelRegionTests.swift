import SyntheticHand
import Testing

@testable import Raster

@Suite struct PixelRegionTests {
  @Test func `adjacent rectangles are joined if that adds no pixels`() {
    var region = PixelRegion(PixelRect(0, 0, 10, 10))
    region.add(PixelRect(10, 0, 20, 10))
    #expect(region.count == 1)
    #expect(region[0] == PixelRect(0, 0, 20, 10))
    region.add(PixelRect(5, 5, 8, 8))
    #expect(region.count == 1)
    region.add(.empty)
    #expect(region.count == 1)
  }

  @Test func `a region is added with all its rectangles`() {
    var other = PixelRegion(PixelRect(0, 0, 10, 10))
    other.add(PixelRect(50, 50, 60, 60))
    var region = PixelRegion(PixelRect(100, 0, 110, 10))
    region.add(other)
    #expect(region.count == 3)
    let all = (0..<region.count).map { region[$0] }
    #expect(all.contains(PixelRect(0, 0, 10, 10)) && all.contains(PixelRect(50, 50, 60, 60)))
    region.add(PixelRegion())
    #expect(region.count == 3)
  }

  @Test func `rectangles apart stay apart`() {
    var region = PixelRegion()
    region.add(PixelRect(0, 0, 10, 10))
    region.add(PixelRect(500, 300, 510, 310))
    #expect(region.count == 2)
    #expect(region.bounds == PixelRect(0, 0, 510, 310))
    region.clear()
    #expect(region.isEmpty && region.bounds == .empty)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `the region contains every added pixel`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var region = PixelRegion()
    var added: [PixelRect] = []
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let x = Int32.random(in: 0...700, using: &random)
      let y = Int32.random(in: 0...400, using: &random)
      let rect = PixelRect(
        x, y, x + Int32.random(in: 1...60, using: &random),
        y + Int32.random(in: 1...60, using: &random))
      added.append(rect)
      region.add(rect)
      #expect(region.count <= PixelRegion.capacity)
      for rect in added {
        #expect(
          (0..<region.count).contains { region[$0].union(rect) == region[$0] },
          "seed \(seed): \(rect) is not in one rectangle")
      }
    }
    var other = PixelRegion(PixelRect(0, 0, 1, 1))
    other.add(region)
    #expect(other.bounds == region.bounds.union(PixelRect(0, 0, 1, 1)))
  }

  @Test func `a full region joins the two that cost least`() {
    var region = PixelRegion()
    for index in 0..<8 as Range<Int32> {
      region.add(PixelRect(index * 100, 0, index * 100 + 10, 10))
    }
    region.add(PixelRect(712, 0, 722, 10))
    #expect(region.count == 8)
    #expect((0..<8).contains { region[$0] == PixelRect(700, 0, 722, 10) })
  }

  @Test func `a full region joins the two rectangles that add the fewest pixels`() {
    var region = PixelRegion()
    for column in 0..<7 as Range<Int32> {
      region.add(PixelRect(10 * column, 0, 10 * column + 1, 1))
    }
    region.add(PixelRect(0, 100, 100, 200))
    // A pixel short of adding none.
    region.add(PixelRect(100, 100, 101, 199))
    #expect(region.count == PixelRegion.capacity)
    let area = (0..<region.count).reduce(0) { $0 + region[$1].area }
    #expect(area == 7 + 101 * 100)
  }
}
