import Ink
import Signature
import SyntheticHand
import Testing

@Suite struct InkMLTests {
  private func sample(_ milliseconds: Double, _ x: Float, _ y: Float, _ force: Float = -1) -> Sample
  {
    Sample(time: 7_000_000_000 + Int64(milliseconds * 1e6), position: Point(x, y), pressure: force)
  }

  @Test func `strokes are traces of place, force and time`() {
    let strokes = [
      Stroke([sample(0, 1, 2, 0), sample(8.3, 1.5, 2.25, 0.5)]),
      Stroke([sample(900, 80, 30.1254, 1)]),
    ]
    let text = String(
      decoding: InkML.write(
        strokes, glass: Point(108.5, 65), time: 1_795_237_377_123_456_789, title: "R&D"),
      as: UTF8.self)
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <ink xmlns="http://www.w3.org/2003/InkML">
        <annotation type="title">R&amp;D</annotation>
        <context xml:id="pad">
        <inkSource xml:id="glass">
        <traceFormat>
        <channel name="X" type="decimal" units="mm"/>
        <channel name="Y" type="decimal" units="mm"/>
        <channel name="F" type="decimal" min="0" max="1" units="dev"/>
        <channel name="T" type="decimal" units="ms" respectTo="#start"/>
        </traceFormat>
        <activeArea height="65.000" width="108.500" units="mm"/>
        </inkSource>
        <timestamp xml:id="start" time="1795237377123"/>
        </context>
        <trace xml:id="t0">1.000 2.000 0.000 0.000, 1.500 2.250 0.500 8.300</trace>
        <trace xml:id="t1">80.000 30.125 1.000 900.000</trace>
        </ink>

        """)
  }

  @Test func `a device without pressure has no force channel`() throws {
    let ink = try #require(XMLReader(InkML.write([Stroke([sample(0, 1, 2), sample(4, 3, 4)])])))
    #expect(ink.all("channel").map { $0.attributes["name"] } == ["X", "Y", "T"])
    #expect(ink.all("trace").map(\.text) == ["1.000 2.000 0.000, 3.000 4.000 4.000"])
    #expect(ink.all("activeArea").isEmpty)
  }

  @Test func `the pieces between gaps refer to one another`() throws {
    let stroke = Stroke((0..<6).map { sample(Double($0), Float($0), 0) }, gaps: [2, 5])
    let traces = try #require(XMLReader(InkML.write([stroke, Stroke([sample(9, 9, 9)])]))).all(
      "trace")
    #expect(traces.map { $0.attributes["xml:id"] } == ["t0", "t1", "t2", "t3"])
    #expect(traces.map { $0.attributes["continuation"] } == ["begin", "middle", "end", nil])
    #expect(traces.map { $0.attributes["priorRef"] } == [nil, "#t0", "#t1", nil])
    #expect(traces.map { $0.text.split(separator: ",").count } == [2, 3, 1, 1])
  }

  @Test func `gaps in any order are the same gaps`() {
    let samples = (0..<6).map { sample(Double($0), Float($0), 0) }
    let ordered = InkML.write([Stroke(samples, gaps: [2, 5])])
    for gaps in [[5, 2], [2, 5, 2], [0, 5, 5, 2, 9, -1, 6]] {
      #expect(InkML.write([Stroke(samples, gaps: gaps)]) == ordered, "\(gaps)")
    }
  }

  @Test func `every sample of a signature reads back`() throws {
    let strokes = SyntheticHand().paraph(at: Point(15, 55), height: 9).map { Stroke($0) }
    let traces = try #require(XMLReader(InkML.write(strokes))).all("trace")
    #expect(traces.count == strokes.count)
    for (trace, stroke) in zip(traces, strokes) {
      let points = trace.text.split(separator: ",")
        .map { $0.split(separator: " ").compactMap { Double($0) } }
      #expect(points.count == stroke.samples.count)
      for (point, sample) in zip(points, stroke.samples) {
        #expect(abs(point[0] - Double(sample.position.x)) < 0.001)
        #expect(abs(point[1] - Double(sample.position.y)) < 0.001)
        let time = Double(sample.time - strokes[0].samples[0].time) / 1e6
        #expect(abs(point[2] - time) <= 0.001)
      }
    }
  }
}
