/// Reads a document by asking for its sections; whatever is left unasked is refused at the end, so a
/// key is declared once: where it is read.
final class ConfigurationReader {
  private let document: Document
  private var sections: [Section] = []

  init(_ document: Document) { self.document = document }

  /// A section that may be left out: all its keys then have their defaults.
  func section(_ name: String) -> Section {
    open(name, document.blocks.first { $0.name == name })
  }

  /// The sections `[KIND NAME]`, in the order of the file.
  func sections(_ kind: String) -> [(name: String, section: Section)] {
    document.blocks.compactMap { block in
      let words = Words.cut(block.name)
      guard words.count == 2, words[0] == kind else { return nil }
      return (words[1], open(block.name, block))
    }
  }

  private func open(_ name: String, _ block: Document.Block?) -> Section {
    let section = Section(file: document.file, name: name, block: block)
    sections.append(section)
    return section
  }

  /// Where the values stand.
  var origin: ConfigurationOrigin { ConfigurationOrigin(document) }

  /// Everything that was asked for.
  var declared: [Section.Declaration] { sections.flatMap { $0.declared } }

  /// Throws all that is wrong: syntax, unknown sections and keys, bad values.
  func finish() throws(ConfigurationError) {
    var problems = document.problems
    for section in sections {
      section.finish()
      problems += section.problems
    }
    for block in document.blocks where !sections.contains(where: { $0.name == block.name }) {
      problems.append(
        ConfigurationProblem(
          file: document.file, line: block.line, section: block.name, key: "",
          reason: "unknown section"))
    }
    if !problems.isEmpty { throw ConfigurationError(problems) }
  }

  /// Throws that something the whole file should have is not there.
  func refuse(_ reason: String) throws(ConfigurationError) -> Never {
    throw ConfigurationError([
      ConfigurationProblem(file: document.file, line: 0, section: "", key: "", reason: reason)
    ])
  }
}
