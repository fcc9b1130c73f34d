import SyntheticHand
import Testing
import Touch

@Suite struct ContactFiltersTests {
  private func filtered(
    _ device: TestDevice, _ script: String,
    _ change: (inout ContactFilters.Options) -> Void
  ) -> [String] {
    var options = ContactFilters.Options()
    change(&options)
    var decoder = ContactDecoder(device.description)
    var filters = ContactFilters(options, for: device.description)
    var lines: [String] = []
    for event in Script.events(script) where decoder.put(event) {
      filters.apply(to: decoder.frame)
      lines += filters.frame.indices.map { filters.frame[$0].words }
    }
    return lines
  }

  private func filtered(_ script: String, _ change: (inout ContactFilters.Options) -> Void)
    -> [String]
  {
    filtered(.singleTouch, script, change)
  }

  private let stroke = """
    0: TOUCH 1, X 10, Y 0
    10: X 20
    20: X 30
    30: X 40
    40: X 50
    50: TOUCH 0
    """

  @Test func `without filters everything passes`() {
    #expect(filtered(stroke) { _ in } == contacts(.singleTouch, stroke))
  }

  @Test func `skip leaves out the first and the last reports`() {
    #expect(
      filtered(stroke) { ($0.skipHead, $0.skipTail) = (1, 2) } == [
        "0 down 20,0 @10", "0 move 30,0 @20", "0 up 30,0 @50",
      ])
  }

  @Test func `a contact that is too short for skip is a tap that lasted as long`() {
    #expect(
      filtered("0: TOUCH 1, X 10, Y 0\n10: X 20\n60: TOUCH 0") {
        ($0.skipHead, $0.skipTail) = (1, 2)
      } == ["0 down 20,0 @0", "0 up 20,0 @60"])
    #expect(
      filtered("0: TOUCH 1, X 10, Y 0\n60: TOUCH 0") { $0.skipHead = 3 } == [
        "0 down 10,0 @0", "0 up 10,0 @60",
      ])
  }

  @Test func `a tap that was held back to its end begins and ends on the glass`() {
    var options = ContactFilters.Options()
    (options.skipHead, options.skipTail) = (1, 2)
    var decoder = ContactDecoder(TestDevice.singleTouch.description)
    var filters = ContactFilters(options, for: TestDevice.singleTouch.description)
    var arbitration = TouchArbitration()
    let geometry = GlassGeometry(
      TestDevice.singleTouch.description, on: .init(width: 100, height: 60))
    var phases: [GlassContact.Phase] = []
    for event in Script.events("0: TOUCH 1, X 10, Y 0\n10: X 20\n60: TOUCH 0")
    where decoder.put(event) {
      filters.apply(to: decoder.frame)
      arbitration.process(filters.frame, geometry: geometry, at: event.time)
      for index in arbitration.contacts.indices { phases.append(arbitration.contacts[index].phase) }
    }
    #expect(phases == [.down, .up])
  }

  @Test func `pthres drops reports with too little or too much pressure`() {
    #expect(
      filtered(
        """
        0: TOUCH 1, X 10, Y 0, P 5
        10: X 20, P 50
        20: X 30, P 250
        30: X 40, P 60
        40: X 50, P 9
        50: X 60, P 70
        60: TOUCH 0, P 0
        """
      ) { ($0.leastPressure, $0.greatestPressure) = (10, 200) } == [
        "0 down 20,0 @10 pressure 50", "0 move 40,0 @30 pressure 60", "0 up 40,0 @40 pressure 9",
        "0 down 60,0 @50 pressure 70", "0 up 60,0 @60 pressure 0",
      ])
  }

  @Test func `median drops single outliers`() {
    #expect(
      filtered(
        """
        0: TOUCH 1, X 10, Y 10
        10: X 900
        20: X 12
        30: X 13
        40: Y 800
        50: Y 11
        60: Y 12
        70: TOUCH 0
        """
      ) { $0.medianDepth = 3 } == [
        "0 down 10,10 @0", "0 move 10,10 @10", "0 move 12,10 @20", "0 move 13,10 @30",
        "0 move 13,10 @40", "0 move 13,11 @50", "0 move 13,12 @60", "0 up 13,12 @70",
      ])
  }

  @Test func `debounce leaves out a contact that begins soon after another`() {
    #expect(
      filtered(
        """
        0: TOUCH 1, X 10, Y 10
        50: TOUCH 0
        60: TOUCH 1, X 11
        65: X 12
        70: TOUCH 0
        150: TOUCH 1, X 90
        200: TOUCH 0
        """
      ) { $0.dropThreshold = 40_000_000 } == [
        "0 down 10,10 @0", "0 up 10,10 @50", "2 down 90,10 @150", "2 up 90,10 @200",
      ])
  }

  @Test func `a contact larger than a finger is a palm, from its beginning or later`() {
    let script = "0: ID 5, MX 1, MY 2, MAJOR 40\n8: MAJOR 41\n16: MAJOR 9\n24: ID -1"
    #expect(
      filtered(.slots, script) { $0.palmSize = 40 } == [
        "0 down 1,2 @0", "0 move 1,2 @8 palm", "0 move 1,2 @16", "0 up 1,2 @24",
      ])
    #expect(filtered(.slots, script) { $0.palmSize = 39 }.first == "0 down 1,2 @0 palm")
  }

  @Test func `a gap among dropped reports is kept`() {
    #expect(
      filtered(
        """
        0: TOUCH 1, X 10, Y 0, P 50
        10: DROPPED
        20: X 30, P 250
        30: X 40, P 60
        """
      ) { $0.greatestPressure = 200 }.last == "0 move 40,0 @30 pressure 60 gap")
  }

  @Test func `a gap is told once`() {
    let lines = filtered(
      """
      0: TOUCH 1, X 10, Y 0, P 50
      10: DROPPED
      20: X 30, P 60
      30: X 40
      40: X 50
      """
    ) { $0.greatestPressure = 200 }
    #expect(lines.count { $0.hasSuffix(" gap") } == 1)
    #expect(lines.last == "0 move 50,0 @40 pressure 60")
  }

  /// Three reports, and a loss of events.
  private static let gap = "0: TOUCH 1, X 10, Y 0\n10: X 20\n20: X 30\n30: DROPPED\n"

  @Test func `a gap is told with the report that follows it, however long skip delays that`() {
    #expect(
      filtered(
        Self.gap + """
          40: X 40
          50: X 50
          60: X 60
          70: X 70
          """
      ) { $0.skipTail = 2 } == [
        "0 down 10,0 @0", "0 move 20,0 @10", "0 move 30,0 @20", "0 move 40,0 @40 gap",
        "0 move 50,0 @50",
      ])
  }

  @Test func `a median takes no position of before a gap`() {
    #expect(
      filtered(
        Self.gap + """
          40: X 100
          50: X 110
          """
      ) { $0.medianDepth = 3 }.suffix(2) == ["0 move 100,0 @40 gap", "0 move 100,0 @50"])
  }

  @Test func `a gap among the last reports, which skip drops, is told with the end`() {
    #expect(
      filtered("0: TOUCH 1, X 10, Y 0\n10: X 20\n20: DROPPED\n30: X 30\n40: TOUCH 0") {
        $0.skipTail = 1
      } == ["0 down 10,0 @0", "0 move 20,0 @10", "0 up 20,0 @40 gap"])
  }

  @Test func `contacts are filtered each by itself`() {
    #expect(
      filtered(
        .slots,
        """
        0: SLOT 0, ID 1, MX 10, MY 0, SLOT 1, ID 2, MX 500, MY 0
        10: SLOT 0, MX 20, SLOT 1, MX 510
        20: SLOT 0, MX 30, SLOT 1, ID -1
        """
      ) { $0.skipHead = 1 } == [
        "0 down 20,0 @10", "1 down 510,0 @10 slot 1", "0 move 30,0 @20", "1 up 510,0 @20 slot 1",
      ])
  }

  @Test func `a pen is filtered apart from the finger in the first slot`() {
    let script = """
      0: SLOT 0, ID 1, MX 10, MY 20
      10: PEN 1, TOUCH 1, X 500, Y 600
      20: MX 11
      30: TOUCH 0
      40: ID -1
      """
    #expect(
      filtered(.slotsAndPen, script) { $0.medianDepth = 3 } == [
        "0 down 10,20 @0", "1 down 500,600 @10 pen", "0 move 10,20 @20", "1 up 500,600 @30 pen",
        "0 up 10,20 @40",
      ])
  }

  @Test(arguments: 0..<40) func `for any events, contacts begin, continue and end in order`(
    seed: Int
  ) {
    var random = SeededRandom(seed: UInt64(seed))
    var script = ""
    for step in 0..<300 {
      script += "\(step * Int.random(in: 1...20, using: &random)): "
      script += "TOUCH \(Int.random(in: 0...3, using: &random) == 0 ? 0 : 1), "
      script +=
        "X \(Int.random(in: 0...99, using: &random)), Y 5, P \(Int.random(in: 0...99, using: &random))\n"
    }
    let lines = filtered(script) {
      $0.leastPressure = .random(in: 0...50, using: &random)
      $0.greatestPressure = 90
      ($0.skipHead, $0.skipTail) = (
        .random(in: -1...9, using: &random), .random(in: -1...9, using: &random)
      )
      $0.medianDepth = .random(in: -1...12, using: &random)
      $0.dropThreshold = .random(in: 0...30_000_000, using: &random)
    }
    var isDown = false
    for line in lines {
      let isBegin = line.contains(" down ")
      #expect(isBegin != isDown, "seed \(seed): \(line)")
      isDown = !line.contains(" up ")
    }
  }
}
