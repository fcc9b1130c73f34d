import CLinux
import Linux
import Testing

@testable import Configuration

@Suite struct PadConfigurationTests {
  let models = ["uberSignature", "polyline"]

  func pad(_ text: String) throws(ConfigurationError) -> PadConfiguration {
    try PadConfiguration(text, file: "paraphd.conf", models: models)
  }

  @Test func `an empty file gives the defaults`() throws {
    let empty = try pad("")
    #expect(empty.touch.device == .automatic)
    #expect(empty.touch.grab)
    #expect(empty.display.card == .automatic)
    #expect(empty.signature.resolution == .dpi(300))
    #expect(empty.spool.minimumFree == 16 << 20)
    #expect(empty.ink.model == nil)
    #expect(empty.ink.prediction == 0)
  }

  @Test(arguments: ["0 0 0 0 0 0", "1 2 0 2 4 0", "0 0 0.5 0 1 0", "0.0001 0 0 0 0.0001 0"])
  func `a matrix that draws all touches on one line or point is refused`(_ matrix: String) {
    #expect(
      throws: (any Error).self, "\(matrix)",
      performing: { try pad("[touch]\ncalibration-matrix = \(matrix)") })
  }

  @Test func `a matrix that maps the touchscreen to a millionth of the screen is accepted`() throws
  {
    let matrix = try pad("[touch]\ncalibration-matrix = 0.000001 0 0 0 1 0").touch.calibrationMatrix
    #expect(matrix == [0.000001, 0, 0, 0, 1, 0])
  }

  @Test(arguments: [(16, 16384), (16384, 16)])
  func `a panel in memory has from 16 to 16384 pixels a side`(_ width: Int, _ height: Int) throws {
    let size = try pad("[display]\npixels = \(width)x\(height)").display.pixels
    #expect(size.width == width && size.height == height)
    for wrong in ["\(width)x16385", "15x\(height)"] {
      #expect(throws: ConfigurationError.self) { try pad("[display]\npixels = \(wrong)") }
    }
  }

  @Test func `a rotation is one of four angles, or as the panel is mounted`() throws {
    let angles = try ["auto", "0", "90", "180", "270"].map {
      try pad("[display]\nrotation = \($0)").display.rotation
    }
    #expect(angles == [nil, 0, 90, 180, 270])
  }

  @Test(arguments: [1, 10_000]) func `a side has from 1 to 10,000 millimetres`(_ side: Int) throws {
    let size = try pad("[display]\nsize = \(side)x\(side)").display.size
    #expect(size == Millimetres(width: Float(side), height: Float(side)))
  }

  @Test(arguments: [50, 2400]) func `a signature has from 50 to 2400 dots per inch`(_ dpi: Int)
    throws
  {
    #expect(try pad("[signature]\ndpi = \(dpi)").signature.resolution == .dpi(dpi))
  }

  @Test func `every key reaches its field`() throws {
    let full = try pad(
      """
      [touch]
      device = /dev/input/event3
      loop = yes
      size = 154.1 x 85.92
      calibration-matrix = 0 -1 1 1 0 -0.5
      contacts = all
      grab = off
      [display]
      card = memory
      connector = DSI-1
      mode = 800x480@59.94
      size=100x60
      rotation = 270
      present = front
      commit = legacy
      pixels = 640x480
      refresh = 50
      picture = /run/picture.png
      [ink]
      model = polyline
      colour = #1a2B3c
      width = 0.3 1.5
      prediction = 12.5ms
      [theme]
      colours = dark
      ground = #010203
      words = #111213
      quiet-words = #212223
      warning = #313233
      line = #414243
      clear = #515253 #616263
      done = #717273 #818283
      cancel = #919293 #a1a2a3
      faint = #b1b2b3 #c1c2c3
      pressed = #d1d2d3 #e1e2e3
      saved = #010101 #020202 #030303 #040404
      ended = #050505 #060606 #070707 #080808
      out-of-service = #090909 #0a0a0a #0b0b0b #0c0c0c
      logo = /srv/logo.png
      logo-place = bottom-right
      logo-size = 30x8.5
      picture = /srv/ground.png
      picture-fit = centre
      buttons = left
      button-height = 12.5
      margin = 3
      words-size = 4
      words-place = centre
      line-height = 11
      [signature]
      dpi = panel
      trim = no
      margin = 1.5
      formats = png json svg
      [text]
      language = pt-BR
      font = /usr/share/fonts/a.ttf
      fallback-fonts = /srv/b.ttc#2 /srv/c.otf
      catalogues = /srv/locale
      notes = /run/notes
      size = large
      [pad]
      slides = /run/slides
      slide-time = 1min 30s
      device-name = Locker 17, left
      minimum-length = 0
      invite = request
      foreground = on-request
      undo = yes
      time-limit = 1min 30s
      abandon-after = never
      [control]
      socket = /run/pad
      mode = 0666
      owner = kiosk
      group = 1000
      users = kiosk 1001
      watch-strokes = yes
      [spool]
      path = /srv/spool
      minimum-free = 1.5G
      maximum-items = 100
      maximum-bytes = 512M
      """)
    #expect(full.touch.device == .path("/dev/input/event3"))
    #expect(full.touch.loop)
    #expect(full.touch.size == Millimetres(width: 154.1, height: 85.92))
    #expect(full.touch.calibrationMatrix == [0, -1, 1, 1, 0, -0.5])
    #expect(full.touch.contacts == .all)
    #expect(!full.touch.grab)
    #expect(full.display.card == .memory)
    #expect(full.display.connector == "DSI-1")
    #expect(full.display.mode == .size(PixelSize(width: 800, height: 480), refresh: 59.94))
    #expect(full.display.size == Millimetres(width: 100, height: 60))
    #expect(full.display.rotation == 270)
    #expect(full.display.presentation == .front)
    #expect(full.display.commit == .legacy)
    #expect(full.display.pixels == PixelSize(width: 640, height: 480))
    #expect(full.display.refresh == 50)
    #expect(full.display.picture == "/run/picture.png")
    #expect(full.ink.model == "polyline")
    #expect(full.ink.colour == 0x1a2b3c)
    #expect(full.ink.width == 0.3...1.5)
    #expect(full.ink.prediction == 12_500_000)
    expectTheme(full.theme)
    #expect(full.signature.resolution == .panel)
    #expect(!full.signature.trim)
    #expect(full.signature.margin == 1.5)
    #expect(full.signature.json && full.signature.svg && !full.signature.inkml)
    #expect(full.text.language == "pt-BR")
    #expect(full.text.font == "/usr/share/fonts/a.ttf")
    #expect(full.text.fallbackFonts == ["/srv/b.ttc#2", "/srv/c.otf"])
    #expect(full.text.catalogues == "/srv/locale")
    #expect(full.text.notes == "/run/notes" && full.text.isLarge)
    #expect(full.pad.slides == "/run/slides" && full.pad.slideTime == 90_000_000_000)
    #expect(full.pad.deviceName == "Locker 17, left")
    #expect(full.pad.minimumLength == 0)
    #expect(!full.pad.invitesAlways && !full.pad.staysInFront && full.pad.undo)
    #expect(full.pad.timeLimit == 90_000_000_000 && full.pad.abandonAfter == nil)
    #expect(full.control.socket == .path("/run/pad") && full.control.mode == 0o666)
    #expect(full.control.owner == "kiosk" && full.control.group == "1000")
    #expect(full.control.users == ["kiosk", "1001"] && full.control.watchStrokes)
    #expect(full.spool.path == "/srv/spool")
    #expect(full.spool.minimumFree == 1_610_612_736)
    #expect(full.spool.maximumItems == 100)
    #expect(full.spool.maximumBytes == 512 << 20)
  }

  func expectTheme(_ theme: ThemeConfiguration) {
    let colours = theme.colours
    #expect(colours.ground == 0x010203 && colours.words == 0x111213)
    #expect(colours.quietWords == 0x212223 && colours.warning == 0x313233)
    #expect(colours.line == 0x414243)
    #expect(colours.clear == .init(face: 0x515253, words: 0x616263))
    #expect(colours.done == .init(face: 0x717273, words: 0x818283))
    #expect(colours.cancel == .init(face: 0x919293, words: 0xa1a2a3))
    #expect(colours.faint == .init(face: 0xb1b2b3, words: 0xc1c2c3))
    #expect(colours.pressed == .init(face: 0xd1d2d3, words: 0xe1e2e3))
    #expect(
      colours.saved == .init(ground: 0x010101, words: 0x020202, disc: 0x030303, sign: 0x040404))
    #expect(
      colours.ended == .init(ground: 0x050505, words: 0x060606, disc: 0x070707, sign: 0x080808))
    #expect(
      colours.outOfService
        == .init(ground: 0x090909, words: 0x0a0a0a, disc: 0x0b0b0b, sign: 0x0c0c0c))
    #expect(theme.logo == "/srv/logo.png" && theme.logoPlace == .bottomRight)
    #expect(theme.logoSize == Millimetres(width: 30, height: 8.5))
    #expect(theme.picture == "/srv/ground.png" && theme.pictureFit == .centre)
    #expect(theme.buttons == .left && theme.buttonHeight == 12.5 && theme.margin == 3)
    #expect(theme.wordsSize == 4 && theme.wordsPlace == .centre && theme.lineHeight == 11)
  }

  @Test func `a dark theme has light ink unless another colour is named`() throws {
    #expect(try pad("[theme]\ncolours = dark").ink.colour == ThemeColours.dark.ink)
    #expect(try pad("[theme]\ncolours = dark\n[ink]\ncolour = auto").ink.colour == 0xf5f8fa)
    #expect(try pad("[ink]\ncolour = #102030\n[theme]\ncolours = dark").ink.colour == 0x102030)
    #expect(try pad("").ink.colour == 0)
  }

  @Test func `a recording and a device by name are read`() throws {
    let recorded = try pad("[touch]\nrecording = /tmp/a.evemu\n")
    #expect(recorded.touch.recording == "/tmp/a.evemu")
    #expect(try pad("[touch]\ndevice = ft5x06 (03)").touch.device == .name("ft5x06 (03)"))
    #expect(throws: ConfigurationError.self) {
      try pad("[touch]\ndevice = /dev/input/event1\nrecording = /tmp/a.evemu")
    }
  }

  @Test func `a path may begin with the home folder`() throws {
    let home = try #require(getenv("HOME").map { String(cString: $0) })
    let read = try pad("[spool]\npath = ~/spool\n[control]\nsocket = ~/pad")
    #expect(read.spool.path == home + "/spool" && read.control.socket == .path(home + "/pad"))
    #expect(throws: ConfigurationError.self) { try pad("[spool]\npath = ~other/spool") }
  }

  @Test func `a signature may have to be a metre long, and no longer`() throws {
    #expect(try pad("[pad]\nminimum-length = 1000").pad.minimumLength == 1000)
    #expect(throws: ConfigurationError.self) { try pad("[pad]\nminimum-length = 1000.5") }
  }

  @Test func `a device's name has at most the length that a manifest accepts`() throws {
    let name = String(repeating: "é", count: 512)
    #expect(try pad("[pad]\ndevice-name = \(name)").pad.deviceName == name)
    #expect(throws: ConfigurationError.self) { try pad("[pad]\ndevice-name = \(name)x") }
  }

  @Test(arguments: [
    ("[touch]\ncontacts = some", "2: [touch] contacts: must be one of first, all, not \"some\""),
    ("[touch]\nbrightness = 3", "2: [touch] brightness: unknown key"),
    ("[tuoch]\n", "1: [tuoch] unknown section (did you mean 'touch'?)"),
    (
      "[ink]\nmodel = fancy",
      "2: [ink] model: must be one of default, uberSignature, polyline, not \"fancy\""
    ),
    (
      "[text]\nlanguage = ../x",
      "2: [text] language: must be a language such as en, de or pt-BR, not \"../x\""
    ),
    (
      "[text]\nfallback-fonts = a.ttf",
      "2: [text] fallback-fonts: must be absolute paths separated by blanks, not \"a.ttf\""
    ),
    (
      "[control]\nsocket = run/pad",
      "2: [control] socket: must be auto, none or an absolute path below 108 bytes, not \"run/pad\""
    ),
    (
      "[control]\nmode = 0980",
      "2: [control] mode: must be permissions such as 0660, not \"0980\""
    ),
    ("[ink]\ncolour = red", "2: [ink] colour: must be #rrggbb, not \"red\""),
    ("[ink]\ncolour = #12345g", "2: [ink] colour: must be #rrggbb, not \"#12345g\""),
    (
      "[ink]\nwidth = 1 0.5",
      "2: [ink] width: must be auto, or the narrowest and the widest ink in millimetres from 0.1 to 5,"
        + " not \"1 0.5\""
    ),
    ("[ink]\nprediction = 17ms", "2: [ink] prediction: must be from 0s to 0.016s, not 17ms"),
    (
      "[theme]\nclear = #ffffff",
      "2: [theme] clear: must be the colours #rrggbb of the face and of its words, not \"#ffffff\""
    ),
    (
      "[theme]\nsaved = #000000 #000000 #000000 white",
      "2: [theme] saved: must be #rrggbb, not \"white\""
    ),
    (
      "[theme]\nlogo = logo.png",
      "2: [theme] logo: must be an absolute path, not \"logo.png\""
    ),
    (
      "[theme]\nbuttons = middle",
      "2: [theme] buttons: must be one of bottom, top, left, right, not \"middle\""
    ),
    (
      "[theme]\nbutton-height = 8.9",
      "2: [theme] button-height: must be a number from 9 to 60, not \"8.9\""
    ),
    (
      "[display]\nrefresh = 0",
      "2: [display] refresh: must be a whole number from 1 to 1000, not \"0\""
    ),
    ("[display]\nsize = 10", "2: [display] size: must be WIDTHxHEIGHT in millimetres, not \"10\""),
    (
      "[display]\nsize = 1x0.9",
      "2: [display] size: must be WIDTHxHEIGHT in millimetres, not \"1x0.9\""
    ),
    (
      "[display]\nmode = 10x",
      "2: [display] mode: must be preferred, WIDTHxHEIGHT or WIDTHxHEIGHT@HERTZ, not \"10x\""
    ),
    (
      "[display]\ncard = card0",
      "2: [display] card: must be auto, memory or an absolute path, not \"card0\""
    ),
    ("[signature]\nformats = svg", "2: [signature] formats: must include png"),
    (
      "[signature]\nformats = png gif",
      "2: [signature] formats: must be of png, svg, inkml, json, not \"gif\""
    ),
    ("[signature]\nformats = png png", "2: [signature] formats: duplicate \"png\""),
    (
      "[signature]\ndpi = 5",
      "2: [signature] dpi: must be panel or a whole number from 50 to 2400, not \"5\""
    ),
    (
      "[signature]\nmargin = inf",
      "2: [signature] margin: must be a number from 0 to 100, not \"inf\""
    ),
    ("[spool]\npath = spool", "2: [spool] path: must be an absolute path, not \"spool\""),
    (
      "[spool]\nminimum-free = 16MB",
      "2: [spool] minimum-free: must be a size such as 64M, not \"16MB\""
    ),
    (
      "[sign]\ncertificate = /pad.pem\nkey = pkcs11:object=pad?PIN-value=1234",
      "3: [sign] key: must not contain a PIN: name a file with it by pin-source=file:"
    ),
    ("[touch]\ngrab = maybe", "2: [touch] grab: must be yes or no, not \"maybe\""),
    (
      "[touch]\ncalibration-matrix = 1 0 0",
      "2: [touch] calibration-matrix: must be six numbers, not \"1 0 0\""
    ),
  ])
  func `a bad value is refused with file, line, section, key and reason`(
    text: String, expected: String
  ) {
    let error = #expect(throws: ConfigurationError.self) { try pad(text) }
    #expect(error?.lines == ["paraphd.conf:" + expected])
  }

  @Test func `all problems are reported at once, in the order of the lines`() {
    let error = #expect(throws: ConfigurationError.self) {
      try pad("[spool]\npath = x\nlimit = 3\n[touch]\ngrab = x\n[more]\n")
    }
    #expect(error?.problems.map { $0.line } == [2, 3, 5, 6])
  }

  @Test func `a file that cannot be read is named with the kernel's reason`() {
    let error = #expect(throws: ConfigurationError.self) {
      try PadConfiguration(reading: "/nowhere/paraphd.conf", models: models)
    }
    #expect(
      error?.lines == ["/nowhere/paraphd.conf: cannot be read: No such file or directory"])
  }

  @Test func `a socket's path has at most 107 bytes, the kernel's limit`() throws {
    func configuration(_ count: Int) throws -> PadConfiguration {
      let path = "/" + String(repeating: "x", count: count - 1)
      return try PadConfiguration("[control]\nsocket = \(path)\n", file: "f", models: [])
    }
    let longest = "/" + String(repeating: "x", count: 106)
    #expect(try configuration(107).control.socket == .path(longest))
    #expect(throws: ConfigurationError.self) { try configuration(108) }
  }
}
