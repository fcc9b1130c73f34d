import Linux
import Testing

@Suite struct InOrderTests {
  @Test func `the order is the library's, and equals stay as they are`() {
    let pairs = (0..<200).map { (key: $0 * 7919 % 13, place: $0) }
    let ordered = pairs.inOrder { $0.key < $1.key }
    let expected = pairs.sorted { ($0.key, $0.place) < ($1.key, $1.place) }
    #expect(ordered.map { $0.place } == expected.map { $0.place })
    #expect([Int]().inOrder(by: <).isEmpty)
  }
}
