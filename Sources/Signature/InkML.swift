public import Ink

/// Writes a signature as InkML (W3C Recommendation, 2011).
///
/// The samples are as the panel reported them: positions in millimetres, force from 0 to 1 if the device
/// measures it, and time in milliseconds.
public struct InkML {
  private var text: [UInt8] = []
  private let hasForce: Bool
  private let start: Int64
  private var traces = 0
  private static let micrometre = FixedPoint(decimals: 3)
  private static let whole = FixedPoint(decimals: 0)

  /// Writes strokes.
  ///
  /// - Parameters:
  ///   - glass: Width and height of the writing area, in millimetres.
  ///   - time: The time of the first sample in nanoseconds since 1970, if known.
  ///   - title: A title for people and search engines.
  public static func write(
    _ strokes: [Stroke], glass: Point? = nil, time: Int64? = nil, title: String? = nil
  ) -> [UInt8] {
    var ink = InkML(strokes)
    ink.open(glass, time, title)
    for stroke in strokes { ink.add(stroke) }
    ink.add("</ink>\n")
    return ink.text
  }

  private init(_ strokes: [Stroke]) {
    hasForce = strokes.contains { $0.samples.contains { $0.pressure >= 0 } }
    start = strokes.first { !$0.samples.isEmpty }?.samples.first?.time ?? 0
  }

  /// Appends the context of all traces, with its elements in the schema's order.
  private mutating func open(_ glass: Point?, _ time: Int64?, _ title: String?) {
    add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    add("<ink xmlns=\"http://www.w3.org/2003/InkML\">\n")
    if let title {
      add("<annotation type=\"title\">")
      XMLText.append(title, to: &text)
      add("</annotation>\n")
    }
    add("<context xml:id=\"pad\">\n<inkSource xml:id=\"glass\">\n<traceFormat>\n")
    add("<channel name=\"X\" type=\"decimal\" units=\"mm\"/>\n")
    add("<channel name=\"Y\" type=\"decimal\" units=\"mm\"/>\n")
    if hasForce {
      add("<channel name=\"F\" type=\"decimal\" min=\"0\" max=\"1\" units=\"dev\"/>\n")
    }
    add("<channel name=\"T\" type=\"decimal\" units=\"ms\" respectTo=\"#start\"/>\n")
    add("</traceFormat>\n")
    if let glass { addArea(glass) }
    add("</inkSource>\n<timestamp xml:id=\"start\"")
    if let time, time >= 0 {
      add(" time=\"")
      InkML.whole.append(units: time / 1_000_000, to: &text)
      add("\"")
    }
    add("/>\n</context>\n")
  }

  private mutating func addArea(_ glass: Point) {
    add("<activeArea height=\"")
    InkML.micrometre.append(glass.y, to: &text)
    add("\" width=\"")
    InkML.micrometre.append(glass.x, to: &text)
    add("\" units=\"mm\"/>\n")
  }

  /// Appends one trace per piece between gaps.
  ///
  /// The pieces of a stroke refer to each other.
  private mutating func add(_ stroke: Stroke) {
    var cursor = GapCursor(stroke.gaps)
    let gaps = stroke.samples.indices.filter { cursor.isGap(before: $0) && $0 > 0 }
    let bounds = [0] + gaps
    for (index, first) in bounds.enumerated() {
      let end = index + 1 < bounds.count ? bounds[index + 1] : stroke.samples.count
      // A stroke without samples yields no trace.
      guard first < end else { continue }
      addHead(piece: index, of: bounds.count)
      for sample in first..<end {
        if sample > first { add(", ") }
        add(stroke.samples[sample])
      }
      add("</trace>\n")
    }
  }

  private mutating func addHead(piece: Int, of count: Int) {
    add("<trace xml:id=\"t")
    InkML.whole.append(units: Int64(traces), to: &text)
    traces += 1
    add("\"")
    if count > 1 {
      add(" continuation=\"")
      add(piece == 0 ? "begin" : piece == count - 1 ? "end" : "middle")
      add("\"")
    }
    if piece > 0 {
      add(" priorRef=\"#t")
      InkML.whole.append(units: Int64(traces - 2), to: &text)
      add("\"")
    }
    add(">")
  }

  private mutating func add(_ sample: Sample) {
    InkML.micrometre.append(sample.position.x, to: &text)
    add(" ")
    InkML.micrometre.append(sample.position.y, to: &text)
    if hasForce {
      add(" ")
      InkML.micrometre.append(max(0, sample.pressure), to: &text)
    }
    add(" ")
    // Kernel stamps have microseconds.
    InkML.micrometre.append(units: (sample.time &- start) / 1000, to: &text)
  }

  private mutating func add(_ text: StaticString) { XMLText.append(text, to: &self.text) }
}
