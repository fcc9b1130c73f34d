import CLinux
import Configuration
import Linux
import ScreenFixtures
import SpoolFixtures
import Testing

@testable import Pad

/// What --check-config, the doctor, the start and a reload find in paraphd.conf.
@Suite struct PadExaminationTests {
  let folder = TemporaryFolder()
  static let dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

  /// Lines of a file that has a spool; its own keys begin in line 3.
  func lines(_ text: String) throws -> [String] {
    PadExamination(
      try ThemeFixtures.configuration("[spool]\npath = \(folder.path)/spool\n" + text)
    ).problems.lines
  }

  @Test func `a working pad has no problems`() throws {
    #expect(try lines("").isEmpty)
    #expect(
      try lines(
        """
        [display]
        card = memory
        picture = \(folder.path)/picture.png
        [text]
        font = \(Self.dejaVu)
        language = en-GB
        [control]
        socket = \(folder.path)/socket
        owner = root
        group = 0
        users = root
        """
      ).isEmpty)
  }

  @Test func `a missing or invalid recording is an error`() throws {
    #expect(
      try lines("[touch]\nrecording = \(folder.path)/none") == [
        "f:4: [touch] recording: read \(folder.path)/none: No such file or directory"
      ])
    try Fixtures.write(folder.path + "/text", Array("hello".utf8))
    #expect(try lines("[touch]\nrecording = \(folder.path)/text").count == 1)
  }

  @Test func `unknown owner and group are errors, and unknown users cause warnings`() throws {
    #expect(
      try lines("[control]\nowner = nobody-here\ngroup = no-group\nusers = root nobody-here") == [
        "f:4: [control] owner: unknown user nobody-here",
        "f:5: [control] group: unknown group no-group",
        "f:6: warning: [control] users: unknown user nobody-here",
      ])
    #expect(try lines("[control]\nsocket = none\nowner = nobody-here").isEmpty)
    #expect(
      try lines("[control]\nsocket = \(folder.path)/none/socket") == [
        "f:4: [control] socket: \(folder.path)/none: No such file or directory"
      ])
  }

  @Test func `a pad that invites everybody, and mostly is not seen, causes a warning`() throws {
    #expect(
      try lines("[pad]\nforeground = on-request").contains {
        $0.contains("[pad] foreground: with invite = always")
      })
    #expect(try lines("[pad]\nforeground = on-request\ninvite = request").isEmpty)
  }

  @Test func `missing and invalid fonts cause warnings`() throws {
    #expect(
      try lines("[text]\nfont = /nowhere/a.ttf\nfallback-fonts = \(Self.dejaVu) \(#filePath)") == [
        "f:4: warning: [text] font: /nowhere/a.ttf: cannot be opened: it is not used",
        "f:5: warning: [text] fallback-fonts: \(#filePath): unknown file format: it is"
          + " not used",
      ])
  }

  @Test func `an invalid language, or one without a catalogue, causes a warning`() throws {
    #expect(
      try lines("[text]\nlanguage = german") == [
        "f:4: warning: [text] language: unknown language \"german\": a tag such as en, de or pt-BR;"
          + " English is shown"
      ])
    #expect(
      try lines("[text]\nlanguage = de\ncatalogues = \(folder.path)") == [
        "f:4: warning: [text] language: no words in \"de\" (\(folder.path)/de/LC_MESSAGES/paraph.mo:"
          + " No such file or directory): English is shown"
      ])
    #expect(try lines("[text]\nlanguage = de\ncatalogues = \(TestWords.catalogues)").isEmpty)
    let notes = try lines("[text]\nnotes = /nowhere/notes")
    #expect(notes.count == 1 && notes[0].hasSuffix(": no notes are shown"), "\(notes)")
  }

  @Test func `a missing card, touchscreen or folder causes a warning`() throws {
    #expect(
      try lines(
        """
        [display]
        card = /dev/dri/card99
        backlight = none-such
        picture = \(folder.path)/none/picture.png
        [touch]
        device = /dev/input/event999
        """) == [
          "f:4: warning: [display] card: /dev/dri/card99: No such file or directory: the pad waits for"
            + " it",
          "f:5: warning: [display] backlight: unknown backlight none-such: it is not switched off"
            + " until it exists",
          "f:6: warning: [display] picture: \(folder.path)/none: No such file or directory: the picture"
            + " is not kept",
          "f:8: warning: [touch] device: /dev/input/event999: No such file or directory: the pad waits"
            + " for it",
        ])
  }

  @Test func `a spool that cannot be created is reported`() throws {
    func spool(_ path: String) throws -> [String] {
      PadExamination(try ThemeFixtures.configuration("[spool]\npath = \(path)")).problems.lines
    }
    #expect(
      try spool(folder.path + "/none/spool") == [
        "f:2: warning: [spool] path: \(folder.path)/none/spool cannot be created: \(folder.path)/none: No"
          + " such file or directory: signatures cannot be saved"
      ])
    try Fixtures.write(folder.path + "/file", [])
    #expect(
      try spool(folder.path + "/file") == [
        "f:2: [spool] path: \(folder.path)/file is not a folder: signatures cannot be saved"
      ])
    #expect(
      try spool(folder.path + "/file/spool") == [
        "f:2: [spool] path: \(folder.path)/file/spool cannot be created: Not a directory: signatures"
          + " cannot be saved"
      ])
    #expect(try spool(folder.path).isEmpty)
  }

  @Test func `a width of ink needs a model that follows the hand's speed`() throws {
    #expect(try lines("[ink]\nwidth = 0.3 1.5").isEmpty)
    #expect(
      try lines("[ink]\nwidth = 0.3 1.5\nmodel = polyline") == [
        "f:4: [ink] width: the model polyline ignores the width: use model = default"
      ])
  }

  @Test func `problems of theme, ink and signature are reported at once`() throws {
    let lines = try lines(
      """
      [display]
      size = 217x136
      [ink]
      model = polyline
      width = 1 2
      [signature]
      dpi = 2400
      [theme]
      logo = /nowhere/a.png
      """)
    #expect(lines.count == 3, "\(lines)")
    #expect(
      lines.last == "f:11: [theme] logo: /nowhere/a.png: cannot be read: No such file or directory")
  }
}
