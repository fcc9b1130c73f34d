import Configuration
import Ink
import Raster
import ScreenFixtures
import Testing

@testable import Screen
@testable import Text

@Suite struct SceneBuilderTests {
  func builder(_ panel: TestPanel) throws -> SceneBuilder {
    try TestWords.builder("en", panel.glass)
  }

  /// An em of a line in millimetres: DejaVu's capitals are 1493/2048 of it.
  func em(_ text: PlacedText) -> Float { text.line.capHeight * 2048 / 1493 }

  @Test(arguments: TestPanel.all)
  func `a text is shown whole in letters that can be read, or refused with its limit`(
    _ panel: TestPanel
  ) throws {
    let builder = try builder(panel)
    let word = "Empfangsbestätigung "
    var refused: Set<String> = []
    for count in [1, 2, 4, 7, 11, 16, 24, 40, 130] {
      let text = String(repeating: word, count: count)
      for (name, scene) in [
        ("prompt", builder.signature(nil, text, countdown: true)),
        ("prompt", builder.signature("Parcel", text)),
        ("title", builder.signature(text, "Please sign")),
        ("text", builder.message(nil, text)), ("text", builder.message("Parcel", text)),
        ("title", builder.message(text, "Thank you")),
      ] {
        let shown = scene.texts.header + scene.texts.message
        #expect(!shown.isEmpty || scene.overflow != nil, "\(count) \(name)")
        #expect(shown.allSatisfy { em($0) >= TextColumn.smallestSize - 0.01 })
        guard let overflow = scene.overflow else {
          #expect(shown.allSatisfy { $0.isInside(scene.layout.header) }, "\(count) \(name)")
          continue
        }
        #expect(overflow.parameter == name)
        #expect(overflow.limit > 0 && overflow.limit < text.unicodeScalars.count)
        refused.insert(name)
      }
    }
    #expect(refused == ["title", "prompt", "text"])
  }

  @Test(arguments: [("en", "One moment, please"), ("de", "Einen Moment, bitte")])
  func `a message without a text has the pad's words`(_ language: String, _ words: String) throws {
    let builder = try TestWords.builder("en", TestPanel.all[0].glass)
    func lines(_ text: String?) -> [Float] {
      builder.message(1, title: nil, text: text, language: language, button: false)
        .texts.message.map(\.line.width)
    }
    #expect(lines(nil) == lines(words))
    #expect(lines(nil) != lines("Box 4"))
  }

  @Test(arguments: TestPanel.all)
  func `large words are larger, and buttons wide and high enough for a hand that trembles`(
    _ panel: TestPanel
  ) throws {
    var options = LayoutOptions()
    options.isLarge = true
    let builder = try TestWords.builder("en", panel.glass, options: options)
    let (title, prompt) = TestWords.prompts["en"] ?? ("", "")
    let (large, normal) = (
      builder.signature(title, prompt), try self.builder(panel).signature(title, prompt)
    )
    #expect(large.overflow == nil)
    for (a, b) in [
      (large.texts.header, normal.texts.header), (large.texts.saved, normal.texts.saved),
    ] {
      let (a, b) = (a.map { em($0) }, b.map { em($0) })
      #expect(try #require(a.min()) >= TextColumn.smallestLargeSize - 0.01)
      #expect(try #require(a.min()) >= #require(b.min()))
    }
    for scene in [large, builder.message("Parcel", "Thank you")] {
      for button in scene.layout.buttons {
        let size = scene.layout.area(of: button).size
        #expect(min(size.x, size.y) >= 11.99, "\(button) \(panel)")
      }
    }
    let question = builder.question(nil, "Agreed?", ["Yes", "No"])
    #expect(question.overflow == nil)
    #expect(question.layout.area(of: .choice(1)).size.y >= 11.99)
  }

  @Test(arguments: TestPanel.all)
  func `a question and its choices are whole and readable, or refused by name`(
    _ panel: TestPanel
  ) throws {
    var refused: Set<String> = []
    for language in ["en", "ar"] {
      let builder = try TestWords.builder(language, panel.glass)
      for count in [1, 8, 40, 130] {
        for choices in 2...4 {
          for length in [1, 2, 4, 30] {
            let text = String(repeating: "Empfangsbestätigung ", count: count)
            let answer = String(repeating: "Nachbarin ", count: length)
            let scene = builder.question(
              "Parcel", text, [String](repeating: answer, count: choices), countdown: true)
            let name = "\(panel) \(count) \(choices) \(length)"
            if let overflow = scene.overflow {
              refused.insert(overflow.parameter)
              let refused = overflow.parameter == "text" ? text : answer
              #expect(overflow.limit < refused.unicodeScalars.count, "\(name)")
              continue
            }
            expectQuestionInPlace(scene, choices, name)
          }
        }
      }
    }
    #expect(refused == ["text", "choices"])
  }

  private func expectQuestionInPlace(_ scene: Scene, _ choices: Int, _ name: String) {
    let layout = scene.layout
    #expect(layout.buttons == (0..<choices).map { .choice($0) }, "\(name)")
    #expect(!scene.texts.message.isEmpty)
    for text in scene.texts.message {
      #expect(text.isInside(layout.header) && em(text) >= TextColumn.smallestSize - 0.01, "\(name)")
    }
    #expect(!layout.countdown.overlaps(layout.header), "\(name)")
    for (index, label) in scene.labels.enumerated() {
      let area = layout.area(of: .choice(index))
      #expect(min(area.size.x, area.size.y) >= Layout.smallestButton && layout.glass.contains(area))
      #expect(!area.overlaps(layout.header) && !area.overlaps(layout.countdown), "\(name)")
      for other in 0..<index { #expect(!area.overlaps(layout.area(of: .choice(other))), "\(name)") }
      guard let word = label.word else {
        Issue.record("a choice has no word: \(name)")
        continue
      }
      #expect(word.isInside(area) && em(word) >= TextColumn.smallestSize - 0.01, "\(name)")
    }
  }

  @Test func `choices are beside one another where they fit, in the direction of the language`()
    throws
  {
    let wide = try builder(TestPanel.all[3]).question(
      nil, "Which door?", ["Front", "Back", "Side"])
    let areas = (0..<3).map { wide.layout.area(of: .choice($0)) }
    #expect(Set(areas.map { $0.origin.y }).count == 1)
    #expect(areas[0].origin.x < areas[1].origin.x && areas[1].origin.x < areas[2].origin.x)
    let arabic = try TestWords.builder("ar", TestPanel.all[3].glass)
      .question(nil, "أي باب؟", ["الأمامي", "الخلفي"])
    #expect(
      arabic.layout.area(of: .choice(0)).origin.x > arabic.layout.area(of: .choice(1)).origin.x)
    let long = try builder(TestPanel.all[0]).question(
      nil, "Agreed?", ["Yes, I have read the terms", "No, I have not read them"])
    #expect(
      long.layout.area(of: .choice(0)).origin.x == long.layout.area(of: .choice(1)).origin.x)
    #expect(
      long.layout.area(of: .choice(0)).origin.y < long.layout.area(of: .choice(1)).origin.y)
  }

  @Test func `a request that is open is whole on a panel that is too small, in smaller letters`()
    throws
  {
    let builder = try builder(TestPanel.all[0])
    let text = String(repeating: "Goods received. ", count: 60)
    #expect(builder.signature("Parcel", text).overflow != nil)
    let shown = builder.shrinking.signature("Parcel", text)
    #expect(
      shown.overflow == nil && shown.texts.header.allSatisfy { $0.isInside(shown.layout.header) })
    #expect(try #require(shown.texts.header.map { em($0) }.min()) < TextColumn.smallestSize)
  }

  @Test func `an upright panel has room for a long prompt above the signature`() throws {
    let upright = TestPanel.all[2].glass
    let scene = try builder(TestPanel.all[2]).signature("Parcel", "Please sign")
    #expect(scene.layout.header.end.y > upright.y * 0.48)
    #expect(scene.layout.line.left.y - scene.layout.header.end.y > 25)
  }

  @Test(arguments: TestPanel.all)
  func `notes are below the texts of the header, above the line, and can be read`(
    _ panel: TestPanel
  ) throws {
    for language in ["en", "de", "ar"] {
      let builder = try TestWords.builder(language, panel.glass)
      for count in [1, 2, 8] {
        let note = "paraphd.conf line 7: [pad] invite: must be one of always, request"
        let scene = builder.resting(notes: [String](repeating: note, count: count))
        let (texts, layout) = (scene.texts, scene.layout)
        let above = texts.header + texts.tooShort + texts.saving
        let end = try #require(above.map { $0.area.end.y }.max())
        for line in texts.notes {
          #expect(line.area.origin.y >= end && line.area.end.y <= layout.line.left.y - 6)
          #expect(line.area.end.x <= layout.header.end.x + 0.5 * layout.textSize)
          #expect(em(line) >= TextColumn.smallestSize - 0.01)
        }
        #expect(!texts.notes.isEmpty || panel.glass.y < 60, "\(panel) \(language)")
      }
    }
    #expect(try builder(panel).resting().texts.notes.isEmpty)
  }

  @Test func `a text within the reported limit fits`() throws {
    let builder = try builder(TestPanel.all[2])
    let text = String(repeating: "Goods received. ", count: 150)
    let overflow = try #require(builder.signature("Parcel", text).overflow)
    #expect(overflow.parameter == "prompt")
    let short = String(text.prefix(overflow.limit))
    #expect(builder.signature("Parcel", short).overflow == nil)
  }

  @Test func `a scene records its texts, including the pad's own prompt`() throws {
    let builder = try builder(TestPanel.all[2])
    let own = builder.signature("Parcel 7", nil)
    #expect(own.title == "Parcel 7" && own.prompt == "Please sign here")
    let asked = builder.signature(nil, "Sign for it")
    #expect(asked.title == nil && asked.prompt == "Sign for it")
    #expect(builder.resting().prompt == "Please sign here")
    // Only what is shown is recorded.
    let hidden = builder.signature("A\u{1B}[31m", "for\u{7}\tyou\nand\u{2028}me")
    #expect(hidden.title == "A[31m" && hidden.prompt == "for you\nand\nme")
  }

  @Test func `five lines of a prompt are shown where there is room for five`() throws {
    let lines = "one\ntwo\nthree\nfour\nfive"
    // An upright 7" panel, and a 3.5" one.
    let large = try builder(TestPanel.all[2]).signature(nil, lines)
    #expect(large.overflow == nil && large.texts.header.count == 5)
    let small = try builder(TestPanel.all[0]).signature("Parcel", lines + "\nsix\nseven")
    #expect(small.overflow?.parameter == "prompt")
  }

  @Test func `texts of the pad itself always fit`() throws {
    for panel in TestPanel.all {
      for language in TestWords.languages {
        let builder = try TestWords.builder(language, panel.glass)
        let resting = builder.resting()
        #expect(resting.overflow == nil && !resting.texts.header.isEmpty)
        let own = builder.signature(nil, nil, language: language, countdown: true)
        #expect(own.overflow == nil && !own.texts.header.isEmpty)
      }
    }
  }

  /// All code points go through the typesetter in its own tests; here every script goes all the way.
  @Test func `a title, prompt and text can contain flags and letters of every script`() throws {
    let builder = try builder(TestPanel.all[3])
    let flags = (UInt32(0x1F1E6)...0x1F1FF).compactMap { Unicode.Scalar($0) }
    let others = stride(from: UInt32(0x20), to: 0x20000, by: 1009).compactMap { Unicode.Scalar($0) }
    for (index, scalar) in (flags + others).enumerated() {
      let text = "To \(scalar)\(scalar)a\(scalar)"
      let scene = index % 2 == 0 ? builder.signature(text, text) : builder.message(text, text)
      #expect(scene.overflow == nil && !(scene.texts.header + scene.texts.message).isEmpty)
    }
  }

  @Test(arguments: TestWords.languages, TestPanel.all)
  func `no word leaves its area or overlaps another`(_ language: String, _ panel: TestPanel) throws
  {
    let logos: [ThemeConfiguration.LogoPlace?] = [nil, .topLeft, .bottomRight, .top]
    for (side, logo) in zip(ThemeConfiguration.Side.allCases, logos) {
      var options = LayoutOptions()
      options.buttons = side
      options.logo = logo.map { LayoutOptions.Logo($0, size: Point(18, 6.5)) }
      let builder = try TestWords.builder(language, panel.glass, options: options)
      let (title, prompt) = TestWords.prompts[language] ?? ("", "")
      for scene in [
        builder.resting(), builder.signature(title, prompt, language: language, countdown: true),
      ] {
        expectWordsInPlace(scene, panel.glass)
      }
    }
  }

  private func expectWordsInPlace(_ scene: Scene, _ size: Point) {
    let (texts, layout) = (scene.texts, scene.layout)
    for words in [texts.header, texts.tooShort, texts.saving, texts.saved] {
      #expect(!words.isEmpty)
      for text in words {
        #expect(text.isInside(layout.header), "\(layout.options) \(layout.header) \(text.area)")
        #expect(text.origin.y < layout.cross.y - 1)
      }
    }
    // The eye of a notice is on the glass, and covers neither words nor disc.
    let eye = layout.noticeEye
    #expect(layout.glass.contains(eye) && !eye.overlaps(layout.disc(withWords: true)))
    #expect(!eye.overlaps(layout.disc(withWords: false)))
    for text in texts.saved + texts.outOfService {
      #expect(!eye.overlaps(text.area), "\(layout.glass) \(eye) \(text.area)")
    }
    for words in [texts.cancelled, texts.timedOut, texts.outOfService] {
      #expect(!words.isEmpty)
      for text in words {
        #expect(text.isInside(Area(x: 0, y: 0, width: size.x, height: size.y)))
        #expect(text.area.origin.y >= layout.disc(withWords: true).end.y)
      }
    }
    for label in scene.labels {
      guard let word = label.word else { continue }
      let area = layout.area(of: label.button)
      #expect(word.origin.x >= area.origin.x + 0.5)
      #expect(word.origin.x + word.line.width <= area.end.x - 0.5)
    }
  }
}

extension SceneBuilder {
  fileprivate func signature(
    _ title: String?, _ prompt: String?, language: String? = nil, countdown: Bool = false
  ) -> Scene {
    signature(
      1, title: title, prompt: prompt, language: language, cancel: true, countdown: countdown)
  }

  fileprivate func question(
    _ title: String?, _ text: String, _ choices: [String], countdown: Bool = false
  ) -> Scene {
    question(1, title: title, text: text, choices: choices, language: nil, countdown: countdown)
  }

  fileprivate func message(_ title: String?, _ text: String) -> Scene {
    message(1, title: title, text: text, language: nil, button: true)
  }
}

extension PlacedText {
  fileprivate func isInside(_ area: Area) -> Bool {
    origin.x >= area.origin.x - 0.01 && origin.x + line.width <= area.end.x + 0.01
      && origin.y - line.capHeight >= area.origin.y - 0.01 && origin.y <= area.end.y + 0.01
  }
}
