import CLinux
import Linux
import Testing

@testable import Text

/// The shipped catalogues, compiled as the installation does it.
@Suite struct CatalogueFolderTests {
  static let languages = ["ar", "de", "en", "ja", "pt"]
  let locale =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/config/locale"

  /// A new folder with every catalogue in it.
  func compiled() throws -> String {
    var template = Array("/tmp/paraph-words-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    try #require(made)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for language in Self.languages {
      let place = "\(folder)/\(language)/LC_MESSAGES"
      let command =
        "mkdir -p \(place) && msgfmt --check -o \(place)/paraph.mo '\(locale)/\(language).po'"
      try #require(system(command) == 0, "\(command)")
    }
    return folder
  }

  @Test(arguments: languages) func `every word is translated`(_ name: String) throws {
    let folder = try compiled()
    defer { system("rm -rf \(folder)") }
    let language = try #require(Language(name))
    let words = CatalogueFolder(folder) { Issue.record("\($0)") }.words(language)
    #expect(words.language == language)
    for word in Word.allCases {
      #expect(!words[word].isEmpty)
      if name == "en" { #expect(words[word] == word.rawValue) }
      if name == "ar" || name == "ja" {
        #expect(word == .understood || words[word] != word.rawValue)
      }
    }
    let bytes = try FileDescriptor(
      opening: "\(folder)/\(name)/LC_MESSAGES/paraph.mo", O_RDONLY
    ).readAll(limit: 1 << 20)
    let catalogue = try MessageCatalogue(try #require(bytes))
    for word in Word.allCases { #expect(catalogue[word.rawValue] != nil, "\(word)") }
  }

  @Test(arguments: languages) func `every word has its glyphs in the tests' fonts`(_ name: String)
    throws
  {
    let folder = try compiled()
    defer { system("rm -rf \(folder)") }
    let language = try #require(Language(name))
    let words = CatalogueFolder(folder) { Issue.record("\($0)") }.words(language)
    let fonts = try FontStack(fonts: [Fonts.dejaVu, Fonts.microHei], wellKnown: false) {
      Issue.record("\($0)")
    }
    let setter = Typesetter(fonts: fonts)
    for word in Word.allCases {
      #expect(!setter.line(words[word], TextStyle(size: 4, language: language)).isEmpty)
    }
  }

  @Test func `a regional tag uses its language's catalogue`() throws {
    let folder = try compiled()
    defer { system("rm -rf \(folder)") }
    let catalogues = CatalogueFolder(folder) { Issue.record("\($0)") }
    #expect(catalogues.words(try #require(Language("de-AT")))[.done] == "Fertig")
  }

  @Test func `a language without a catalogue is English, and one line says so`() throws {
    let log = Log()
    let catalogues = CatalogueFolder("/nonexistent") { log.lines.append($0) }
    for _ in 0..<3 {
      let words = catalogues.words(try #require(Language("fr")))
      #expect(words[.done] == "Done" && words.language == .english)
    }
    #expect(log.lines.count == 1)
    _ = catalogues.words(.english)
    #expect(log.lines.count == 1)
  }

  @Test func `only some languages are kept, and the others are read again`() throws {
    let folder = try compiled()
    defer { system("rm -rf \(folder)") }
    let catalogues = CatalogueFolder(folder) { _ in }
    // As many countries as are kept, all served by German.
    let countries = (0..<CatalogueFolder.cacheLimit).compactMap {
      Language("de-\(String(decoding: [UInt8(0x41 + $0), 0x41], as: UTF8.self))")
    }
    for country in countries { #expect(catalogues.words(country)[.done] == "Fertig") }
    let further = try #require(Language("de-ZZ"))
    #expect(catalogues.words(further)[.done] == "Fertig")
    system("rm -rf \(folder)/de")
    for country in countries { #expect(catalogues.words(country)[.done] == "Fertig") }
    #expect(catalogues.words(further)[.done] == "Done")
  }

  @Test func `a catalogue that is too large is named`() throws {
    let folder = try compiled()
    defer { system("rm -rf \(folder)") }
    let file = "\(folder)/de/LC_MESSAGES/paraph.mo"
    try #require(truncate(file, off_t(MessageCatalogue.sizeLimit) + 1) == 0)
    let log = Log()
    let words = CatalogueFolder(folder) { log.lines.append($0) }.words(try #require(Language("de")))
    #expect(words.language == .english)
    #expect(
      log.lines == [
        "config: no catalogue for \"de\" (\(file): is larger than \(MessageCatalogue.sizeLimit) bytes);"
          + " English is shown"
      ])
  }
}
