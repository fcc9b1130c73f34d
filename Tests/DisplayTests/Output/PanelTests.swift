import CLinux
import Linux
import Raster
import Testing

@testable import Display

@Suite struct PanelTests {
  private static let period: Int64 = 1_000_000_000_000 / 60_000

  /// A canvas with a different colour at every pixel.
  private func canvas(_ width: Int, _ height: Int) -> Canvas {
    var canvas = Canvas(width: width, height: height)
    for y in 0..<Int32(height) {
      for x in 0..<Int32(width) {
        let colour = UInt32(x) &* 2_654_435_761 ^ UInt32(y) &* 40503 &* 256
        canvas.paint(PixelRect(x, y, x + 1, y + 1), colour)
      }
    }
    return canvas
  }

  @Test(arguments: Rotation.allCases)
  func `the first picture is the whole canvas, turned`(rotation: Rotation) throws {
    var options = MemoryPanelOptions(width: 24, height: 16)
    options.rotation = rotation
    var panel = try Panel(options)
    let canvas = canvas(panel.width, panel.height)
    try panel.present(canvas, damage: PixelRegion(), at: 1)
    let shown = panel.picture()
    let picture = try #require(shown)
    for y in 0..<16 {
      for x in 0..<24 {
        let (cx, cy) =
          switch rotation {
          case .none: (x, y)
          case .clockwise90: (y, 23 - x)
          case .half: (23 - x, 15 - y)
          case .clockwise270: (15 - y, x)
          }
        #expect(picture.pixels[y * 24 + x] == canvas[cx, cy])
      }
    }
  }

  @Test(arguments: PixelFormat.allCases, [Rotation.none, .clockwise90])
  func `in every format the panel shows the canvas`(format: PixelFormat, rotation: Rotation) throws
  {
    var options = MemoryPanelOptions(width: 9, height: 7)
    (options.format, options.rotation) = (format, rotation)
    var panel = try Panel(options)
    var canvas = Canvas(width: panel.width, height: panel.height)
    canvas.paint(PixelRect(1, 2, 3, 5), 0xFF0000)
    canvas.paint(PixelRect(3, 2, 6, 5), 0x0000FF)
    try panel.present(canvas, damage: PixelRegion(), at: 1)
    let taken = panel.picture()
    let picture = try #require(taken)
    for y: Int32 in 0..<Int32(panel.height) {
      for x: Int32 in 0..<Int32(panel.width) {
        let place = panel.geometry.panelRect(PixelRect(x, y, x + 1, y + 1))
        let shown = picture.pixels[Int(place.y0) * picture.width + Int(place.x0)]
        let drawn = canvas[Int(x), Int(y)] | 0xFF00_0000
        #expect(shown == drawn)
      }
    }
  }

  @Test func `RGB565 keeps black and white and dithers between`() throws {
    var options = MemoryPanelOptions(width: 16, height: 16)
    options.format = .rgb565
    var panel = try Panel(options)
    var canvas = Canvas(width: 16, height: 16, ground: 0xFF_FFFF)
    canvas.paint(PixelRect(0, 0, 8, 16), 0)
    canvas.paint(PixelRect(8, 8, 16, 16), 0x7F7F7F)
    try panel.present(canvas, damage: PixelRegion(), at: 1)
    let shown = panel.picture()
    let pixels = try #require(shown).pixels
    #expect(pixels[0] == 0xFF00_0000)
    #expect(pixels[15] == 0xFFFF_FFFF)
    let greys = Set((8..<16).map { pixels[15 * 16 + $0] })
    #expect(greys.count > 1)
    let bytes = panel.statistics.bytesWritten
    #expect(bytes == 16 * 16 * 2)
  }

  @Test func `a touch writes only the damage that the buffer lacks, not the frame`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 320, height: 200))
    var canvas = Canvas(width: 320, height: 200)
    var now = try panel.settle(canvas)
    let before = panel.statistics.bytesWritten
    for step: Int32 in 0..<4 {
      let rect = PixelRect(20 * step, 10, 20 * step + 10, 20)
      canvas.paint(rect, 0x123456)
      now += 1
      try panel.present(canvas, damage: PixelRegion(rect), at: now)
      while let deadline = panel.nextDeadline {
        now = deadline
        try panel.handleEvents(at: now)
        try panel.present(canvas, damage: PixelRegion(), at: now)
      }
    }
    // Four squares, each painted into both buffers.
    let written = panel.statistics.bytesWritten - before
    #expect(written == 4 * 4 * 200)
    let shown = panel.picture()
    let picture = try #require(shown)
    for y in 0..<200 {
      for x in 0..<320 { #expect(picture.pixels[y * 320 + x] == canvas[x, y]) }
    }
  }

  @Test
  func `the other buffer is completed while nothing is due, and not while the panel is inactive`()
    throws
  {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    let canvas = Canvas(width: 32, height: 32)
    let frame = 32 * 32 * 4
    try panel.present(canvas, damage: PixelRegion(), at: 1)
    let lit = panel.statistics.bytesWritten
    try panel.present(canvas, damage: PixelRegion(), at: 2)
    let ready = panel.statistics.bytesWritten
    #expect(lit == frame && ready == 2 * frame)
    panel.blank()
    try panel.present(canvas, damage: PixelRegion(PixelRect(0, 0, 4, 4)), at: 3)
    let dark = panel.statistics.bytesWritten
    #expect(dark == ready)
  }

  @Test func `ink that comes while a flip is in flight is in the next`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    var canvas = Canvas(width: 32, height: 32)
    var now = try panel.settle(canvas)
    let (one, two) = (PixelRect(0, 0, 4, 4), PixelRect(8, 8, 12, 12))
    canvas.paint(one, 0xFF0000)
    try panel.present(canvas, damage: PixelRegion(one), at: now + 1)
    while !panel.isFlipInFlight {
      let deadline = panel.nextDeadline
      now = try #require(deadline)
      try panel.handleEvents(at: now)
      try panel.present(canvas, damage: PixelRegion(), at: now)
    }
    canvas.paint(two, 0x00FF00)
    try panel.present(canvas, damage: PixelRegion(two), at: now + 1)
    let deadline = panel.nextDeadline
    now = try #require(deadline)
    try panel.handleEvents(at: now)
    let first = panel.picture()?.pixels
    #expect(first?[0] == 0xFFFF_0000)
    #expect(first?[8 * 32 + 8] == 0xFFFF_FFFF)
    while let deadline = panel.nextDeadline {
      try panel.present(canvas, damage: PixelRegion(), at: deadline)
      try panel.handleEvents(at: deadline)
    }
    let next = panel.picture()?.pixels
    #expect(next?[8 * 32 + 8] == 0xFF00_FF00)
  }

  @Test func `at 240 samples a second none that was early enough misses its flip`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 64, height: 64))
    var canvas = Canvas(width: 64, height: 64)
    var now = try panel.settle(canvas)
    let frames = panel.statistics.frames
    var sample = now + 1_000_000
    let end = sample + 1_000_000_000
    while sample < end {
      if let deadline = panel.nextDeadline, deadline < sample {
        now = deadline
        try panel.handleEvents(at: now)
        try panel.present(canvas, damage: PixelRegion(), at: now)
      } else {
        now = sample
        let at = Int32(now / 4_166_667 % 60)
        let rect = PixelRect(at, at, at + 3, at + 3)
        canvas.paint(rect, UInt32(truncatingIfNeeded: now))
        panel.record(sampleAt: now)
        try panel.handleEvents(at: now)
        try panel.present(canvas, damage: PixelRegion(rect), at: now)
        sample += 4_166_667
      }
    }
    let done = panel.statistics
    #expect((59...61).contains(done.frames - frames))
    #expect(done.lateSamples == 0)
    #expect(done.missedFlips == 0)
    #expect(done.stampToFlip.longest < Self.period + 2_000_000)
  }

  @Test func `the first touch after the start misses no flip either`() throws {
    for phase in stride(from: Int64(1), to: Self.period, by: 1_500_000) {
      var panel = try Panel(MemoryPanelOptions(width: 64, height: 64))
      var canvas = Canvas(width: 64, height: 64)
      var now = 1000 * Self.period + phase
      try panel.present(canvas, damage: PixelRegion(), at: now)
      for sample in 0..<8 {
        now += 4_166_667
        while let deadline = panel.nextDeadline, deadline < now {
          try panel.handleEvents(at: deadline)
          try panel.present(canvas, damage: PixelRegion(), at: deadline)
        }
        let rect = PixelRect(Int32(sample), 0, Int32(sample) + 1, 1)
        canvas.paint(rect, 0)
        panel.record(sampleAt: now)
        try panel.present(canvas, damage: PixelRegion(rect), at: now)
      }
      let done = panel.statistics
      #expect(done.frames > 0 && done.lateSamples == 0)
      #expect(done.stampToCommit.longest <= Self.period)
    }
  }

  @Test func `a sample that changes nothing is not measured, and one that does is`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 64, height: 64))
    let canvas = Canvas(width: 64, height: 64)
    try panel.present(canvas, damage: PixelRegion(), at: 1)
    panel.record(sampleAt: 2)
    try panel.present(canvas, damage: PixelRegion(), at: 3)
    panel.record(sampleAt: 1_000_000_000)
    try panel.present(canvas, damage: PixelRegion(PixelRect(0, 0, 1, 1)), at: 1_000_000_000)
    while let deadline = panel.nextDeadline {
      try panel.handleEvents(at: deadline)
      try panel.present(canvas, damage: PixelRegion(), at: deadline)
    }
    let latency = panel.statistics.stampToCommit
    #expect(latency.count == 1)
    #expect(latency.longest <= Self.period)
  }

  @Test func `the front buffer shows at once, without a flip`() throws {
    var options = MemoryPanelOptions(width: 32, height: 32)
    options.isFront = true
    var panel = try Panel(options)
    var canvas = Canvas(width: 32, height: 32)
    try panel.present(canvas, damage: PixelRegion(), at: 1)
    let before = panel.statistics.bytesWritten
    canvas.paint(PixelRect(4, 4, 6, 6), 0xFF0000)
    try panel.present(canvas, damage: PixelRegion(PixelRect(4, 4, 6, 6)), at: 2)
    let (pixels, deadline) = (panel.picture()?.pixels, panel.nextDeadline)
    #expect(pixels?[4 * 32 + 4] == 0xFFFF_0000)
    #expect(deadline == nil)
    let written = panel.statistics.bytesWritten - before
    #expect(written == 4 * 4)
  }

  @Test func `with a real clock the descriptor wakes for every step until all is shown`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    var canvas = Canvas(width: 32, height: 32)
    var poll = Poll()
    poll.add(panel.descriptor)
    try panel.present(canvas, damage: PixelRegion())
    canvas.paint(PixelRect(0, 0, 4, 4), 0x0000FF)
    try panel.present(canvas, damage: PixelRegion(PixelRect(0, 0, 4, 4)))
    while panel.nextDeadline != nil {
      let isAwake = try poll.wait(milliseconds: 10_000)
      #expect(isAwake)
      try panel.handleEvents()
      try panel.present(canvas, damage: PixelRegion())
    }
    let pixels = panel.picture()?.pixels
    #expect(pixels?[0] == 0xFF00_00FF)
    let isAwake = try poll.wait(milliseconds: 0)
    #expect(!isAwake)
  }

  @Test func `before the first picture, the descriptor is not readable`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    var poll = Poll()
    poll.add(panel.descriptor)
    try panel.handleEvents()
    panel.release()
    panel.acquire()
    panel.refresh()
    let isAwake = try poll.wait(milliseconds: 0)
    #expect(!isAwake)
  }

  @Test func `a driver that refuses flips gets its front buffer drawn, and loses no damage`() throws
  {
    var options = MemoryPanelOptions(width: 32, height: 32)
    (options.flips, options.refreshMilliHertz) = (.refused, nil)
    var panel = try Panel(options)
    var canvas = Canvas(width: 32, height: 32)
    try panel.present(canvas, damage: PixelRegion(), at: 1)
    for step: Int32 in 0..<5 { try panel.draws(step, on: &canvas) }
    // The first picture, and one for each of the two refusals.
    let (modeSets, deadline) = (panel.statistics.modeSets, panel.nextDeadline)
    #expect(modeSets == 3)
    #expect(deadline == nil)
  }

  @Test func `a picture that is announced before a flip is lost is painted afterwards`() throws {
    var options = MemoryPanelOptions(width: 32, height: 32)
    (options.flips, options.refreshMilliHertz) = (.lost, nil)
    var panel = try Panel(options)
    var canvas = Canvas(width: 32, height: 32)
    try panel.present(canvas, damage: PixelRegion(), at: 1)
    let rect = PixelRect(0, 0, 1, 1)
    canvas.paint(rect, 0xFF0000)
    try panel.present(canvas, damage: PixelRegion(rect), at: 2)
    let timeout = panel.nextDeadline
    let lost = try #require(timeout)
    try panel.handleEvents(at: lost)
    let isDueInFlight = panel.announce(at: lost)
    #expect(!isDueInFlight)
    try panel.present(canvas, damage: PixelRegion(), at: lost)
    let (modeSets, deadline) = (panel.statistics.modeSets, panel.nextDeadline)
    #expect(modeSets == 2)
    let next = try #require(deadline)
    let isDue = panel.announce(at: next)
    #expect(isDue)
  }

  @Test func `a flip whose event waits after a stall is not lost`() throws {
    var panel = try Panel(MemoryPanelOptions(width: 32, height: 32))
    var canvas = Canvas(width: 32, height: 32)
    var now = try panel.settle(canvas)
    let modeSets = panel.statistics.modeSets
    let rect = PixelRect(0, 0, 4, 4)
    canvas.paint(rect, 0xFF0000)
    try panel.present(canvas, damage: PixelRegion(rect), at: now + 1)
    let deadline = panel.nextDeadline
    now = try #require(deadline)
    try panel.present(canvas, damage: PixelRegion(), at: now)
    let isInFlight = panel.isFlipInFlight
    #expect(isInFlight)
    try panel.present(canvas, damage: PixelRegion(), at: now + 2 * FramePacer.timeout)
    let (statistics, isStillInFlight) = (panel.statistics, panel.isFlipInFlight)
    #expect(statistics.lostFlips == 0 && statistics.modeSets == modeSets)
    #expect(!isStillInFlight)
    let pixels = panel.picture()?.pixels
    #expect(pixels?[0] == 0xFFFF_0000)
  }

  @Test func `missing flips are given up, and the third one in a row is a failure`() throws {
    var options = MemoryPanelOptions(width: 32, height: 32)
    (options.flips, options.refreshMilliHertz) = (.lost, nil)
    var panel = try Panel(options)
    var canvas = Canvas(width: 32, height: 32)
    try panel.present(canvas, damage: PixelRegion(), at: 1)
    var now: Int64 = 2
    for step: Int32 in 0..<3 {
      let wasStuck = panel.isStuck
      #expect(!wasStuck)
      let rect = PixelRect(step, step, step + 1, step + 1)
      canvas.paint(rect, 0xFF0000)
      try panel.present(canvas, damage: PixelRegion(rect), at: now)
      let deadline = panel.nextDeadline
      now = try #require(deadline)
      #expect(now > FramePacer.timeout)
      try panel.handleEvents(at: now)
      try panel.present(canvas, damage: PixelRegion(), at: now)
      let pixels = panel.picture()?.pixels
      #expect(pixels?[Int(step) * 33] == 0xFFFF_0000)
    }
    let (isStuck, lost, modeSets) =
      (panel.isStuck, panel.statistics.lostFlips, panel.statistics.modeSets)
    #expect(isStuck)
    #expect(lost == 3)
    #expect(modeSets == 4)
  }

  @Test func `a stuck display is no failure while it is away, nor when it comes back`() throws {
    var options = MemoryPanelOptions(width: 32, height: 32)
    (options.flips, options.refreshMilliHertz) = (.lost, nil)
    var panel = try Panel(options)
    let canvas = Canvas(width: 32, height: 32)
    var now: Int64 = 1
    for _ in 0..<3 {
      try panel.present(canvas, damage: PixelRegion(), at: now)
      try panel.present(canvas, damage: PixelRegion(canvas.rect), at: now)
      now += FramePacer.timeout
    }
    try panel.present(canvas, damage: PixelRegion(), at: now)
    let isStuck = panel.isStuck
    #expect(isStuck)
    panel.release()
    let isStuckAway = panel.isStuck
    #expect(!isStuckAway)
    panel.acquire(at: now)
    let isStuckAgain = panel.isStuck
    #expect(!isStuckAgain)
  }
}
