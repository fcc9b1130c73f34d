internal import CLinux
internal import Linux

/// The installed catalogues: FOLDER/LANGUAGE/LC_MESSAGES/paraph.mo, as for gettext.
///
/// Reads a catalogue when its language is first requested.
public final class CatalogueFolder {
  /// The maximum number of cached languages; others are read each time.
  static let cacheLimit = 16

  private let path: String
  private let report: (String) -> Void
  private var known: [Words] = []
  private var reported: [Language] = []

  /// - Parameter report: Is called with one line per language without a usable catalogue.
  public init(_ path: String, report: @escaping (String) -> Void) {
    self.path = path
    self.report = report
  }

  /// The pad's words in a language, or in English if it has no catalogue.
  ///
  /// "pt-BR" falls back to "pt".
  public func words(_ language: Language) -> Words {
    if let known = known.first(where: { $0.requested == language }) { return known }
    let (words, reason) = read(language)
    if let reason { complain(language, reason) }
    if known.count < CatalogueFolder.cacheLimit { known.append(words) }
    return words
  }

  /// The reason why English replaces a language; nil if the language has a catalogue or is English.
  public func flaw(of language: Language) -> String? {
    language.primary == Language.english.primary ? nil : read(language).reason
  }

  private func read(_ language: Language) -> (words: Words, reason: String?) {
    var reason = ""
    for name in [language.underscored, language.primary] {
      let file = "\(path)/\(name)/LC_MESSAGES/paraph.mo"
      do throws(Errno) {
        let file = try FileDescriptor(opening: file, O_RDONLY | O_NONBLOCK)
        if let bytes = try file.readAll(limit: MessageCatalogue.sizeLimit) {
          do throws(MessageCatalogue.Refusal) {
            return (Words(language, requested: language, try MessageCatalogue(bytes)), nil)
          } catch { reason = error.reason }
        } else {
          reason = "is larger than \(MessageCatalogue.sizeLimit) bytes"
        }
      } catch { reason = error.text }
      reason = "\(file): \(reason)"
    }
    return (Words(.english, requested: language, nil), reason)
  }

  private func complain(_ language: Language, _ reason: String) {
    guard language.primary != Language.english.primary, !reported.contains(language),
      reported.count < CatalogueFolder.cacheLimit
    else { return }
    reported.append(language)
    report("config: no catalogue for \"\(language.tag)\" (\(reason)); English is shown")
  }
}
