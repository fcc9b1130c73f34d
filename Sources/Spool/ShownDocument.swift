public import JSON
internal import Nettle

/// A document as a person could read it before signing: in the manifest, in replies, and in the journal.
public struct ShownDocument: Equatable, Sendable {
  /// The name of the original file.
  public var name: String
  /// The SHA-256 of the original file, as 64 lower-case hexadecimal digits.
  public var digest: String
  /// The pages in order: at least one.
  public var pages: [Page]

  /// A page that was shown.
  public struct Page: Equatable, Sendable {
    /// The SHA-256 of the page's PNG as it was uploaded, or of the page's text in UTF-8.
    public var digest: String
    /// How long the page was on the glass, in milliseconds.
    public var milliseconds: Int64

    /// A page with the time that it was on the glass, in milliseconds.
    public init(digest: String, milliseconds: Int64) {
      self.digest = digest
      // What readers accept.
      self.milliseconds = min(max(0, milliseconds), ShownDocument.longest)
    }
  }

  /// The maximum number of pages, which a long text can have on a small panel.
  public static let pageLimit = 1000
  /// The limit of the name, in bytes.
  public static let nameLimit = 255
  /// The longest time that is counted, in milliseconds: a month.
  private static let longest: Int64 = 2_678_400_000

  /// A document with its pages.
  public init(name: String, digest: String, pages: [Page]) {
    (self.name, self.digest, self.pages) = (name, digest, pages)
  }

  /// The members name, digest and pages.
  public var json: JSONValue {
    let pages = pages.map { page in
      JSONValue.object([
        ("digest", .text(page.digest)), ("seconds", .real(Double(page.milliseconds) / 1000)),
      ])
    }
    return .object([("name", .text(name)), ("digest", .text(digest)), ("pages", .array(pages))])
  }

  /// Parses what `json` returns, from an untrusted file; nil if it is something else.
  public init?(_ json: JSONValue) {
    guard let name = json["name"]?.text, (1...ShownDocument.nameLimit).contains(name.utf8.count),
      let digest = json["digest"]?.text, SHA256.isDigest(digest),
      let pages = json["pages"]?.elements, (1...ShownDocument.pageLimit).contains(pages.count)
    else { return nil }
    self.init(name: name, digest: digest, pages: [])
    for page in pages {
      guard let digest = page["digest"]?.text, SHA256.isDigest(digest),
        let seconds = page["seconds"]?.real, seconds >= 0,
        seconds <= Double(ShownDocument.longest) / 1000
      else { return nil }
      self.pages.append(Page(digest: digest, milliseconds: Int64((seconds * 1000).rounded())))
    }
  }
}
