internal import CLinux
internal import Linux

/// Where the catalogues are installed: FOLDER/LANGUAGE/LC_MESSAGES/paraph.mo, as gettext has it.
///
/// It reads files when a language is asked for the first time.
public final class CatalogueFolder {
  /// Languages that are kept; who asks for more of them costs a look at the disk each time.
  static let cacheLimit = 16

  private let path: String
  private let report: (String) -> Void
  private var known: [Words] = []
  private var reported: [Language] = []

  /// - Parameter report: Is given one line for each language that has no usable catalogue.
  public init(_ path: String, report: @escaping (String) -> Void) {
    self.path = path
    self.report = report
  }

  /// The pad's words in a language, or in English where there is no catalogue for it. "pt-BR" is also
  /// served by "pt".
  public func words(_ language: Language) -> Words {
    if let known = known.first(where: { $0.asked == language }) { return known }
    let (words, reason) = read(language)
    if let reason { complain(language, reason) }
    if known.count < CatalogueFolder.cacheLimit { known.append(words) }
    return words
  }

  /// Why the pad speaks English instead of a language; nil: it does not, or that is meant.
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
            return (Words(language, asked: language, try MessageCatalogue(bytes)), nil)
          } catch { reason = error.reason }
        } else {
          reason = "is larger than \(MessageCatalogue.sizeLimit) bytes"
        }
      } catch { reason = error.text }
      reason = "\(file): \(reason)"
    }
    return (Words(.english, asked: language, nil), reason)
  }

  private func complain(_ language: Language, _ reason: String) {
    guard language.primary != Language.english.primary, !reported.contains(language),
      reported.count < CatalogueFolder.cacheLimit
    else { return }
    reported.append(language)
    report("config: no words in \"\(language.tag)\" (\(reason)): English is shown")
  }
}
