import Testing

@testable import Screen

/// The compressed bands of a page, in a file in memory.
@Suite struct PageBandsTests {
  private func add(_ parts: [[UInt8]], to bands: inout PageBands) -> Bool {
    for part in parts where !bands.write(part.span) { return false }
    bands.endBand()
    return true
  }

  @Test func `each band is read back as it was written`() throws {
    var bands = try PageBands(limit: 100)
    let written: [[[UInt8]]] = [[[1, 2], [3]], [[]], [[4], [5, 6, 7], [8]]]
    for parts in written { #expect(add(parts, to: &bands)) }
    // In any order.
    for band in [2, 0, 1, 0, 2] { #expect(bands[band] == Array(written[band].joined())) }
    #expect(bands.size == 8 && bands.refusal == nil)
    for band in [-1, 3] { #expect(bands[band].isEmpty) }
  }

  @Test func `what exceeds the limit is refused, and named`() throws {
    var bands = try PageBands(limit: 2 << 20)
    let half = [UInt8](repeating: 7, count: 1 << 20)
    #expect(add([half, half], to: &bands) && bands.refusal == nil)
    #expect(!add([[1]], to: &bands) && bands.size == 2 << 20)
    #expect(bands.refusal == "it takes more than 2.0 MiB in the panel's resolution")
    #expect(bands[0].count == 2 << 20)
  }
}
