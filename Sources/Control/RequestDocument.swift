/// A document that a person reads before signing.
public struct RequestDocument: Equatable, Sendable {
  /// The client that uploads it.
  public var client: Int
  /// The client's id of it.
  public var id: String
  /// The name of the original file.
  public var name: String
  /// The SHA-256 of the original file, as 64 lower-case hexadecimal digits.
  public var digest: String
  /// The number of pages that were uploaded: at least one.
  public var count: Int
  /// Whether the person may sign before the last page was shown.
  public var isEarly = false
  /// The pages as they were uploaded, once the pad has taken them for the request.
  public var upload: DocumentUpload?

  /// The maximum number of pages.
  public static let pageLimit = 50
  /// The limit of the files of the pages of all clients, in bytes.
  public static let sizeLimit = 12 << 20
  /// The limit of those files and of the page on the glass in the panel's resolution, in bytes.
  public static let memoryLimit = 16 << 20

  /// A document whose pages the pad has not taken yet.
  public init(client: Int, id: String, name: String, digest: String, count: Int) {
    (self.client, self.id, self.count) = (client, id, count)
    (self.name, self.digest) = (name, digest)
  }
}

/// The pages of a document as they were uploaded.
public struct DocumentUpload: Equatable, Sendable {
  /// The pages' files are in the folder of this number.
  public var folder: Int
  /// A PNG for each page; nil: page 1 is a text.
  public var pages: [Page]?
  /// The SHA-256 of a text, as 64 lower-case hexadecimal digits; nil: the pages are PNGs.
  public var textDigest: String?

  /// A page that is a PNG.
  public struct Page: Equatable, Sendable {
    /// The SHA-256 of the file, as 64 lower-case hexadecimal digits.
    public var digest: String
    /// The size in pixels.
    public var width: Int, height: Int

    /// A page of a size in pixels.
    public init(digest: String, width: Int, height: Int) {
      (self.digest, self.width, self.height) = (digest, width, height)
    }
  }

  /// The pages of a folder.
  public init(folder: Int, pages: [Page]?, textDigest: String? = nil) {
    (self.folder, self.pages, self.textDigest) = (folder, pages, textDigest)
  }
}

/// A part of a page that a client uploads.
public struct PagePart: Equatable, Sendable {
  /// The client.
  public var client: Int
  /// The client's id of the document.
  public var document: String
  /// The page, from 1.
  public var number: Int
  /// The bytes of the page before this part.
  public var offset: Int
  /// The part: at least one byte.
  public var bytes: [UInt8]

  /// The largest part, in bytes.
  public static let sizeLimit = 24_000

  /// A part of a page.
  public init(client: Int, document: String, number: Int, offset: Int, bytes: [UInt8]) {
    (self.client, self.document) = (client, document)
    (self.number, self.offset, self.bytes) = (number, offset, bytes)
  }
}

/// Why a document cannot be shown.
public struct DocumentProblem: Error, Equatable, Sendable {
  /// The page, from 1; nil: the document as a whole.
  public var page: Int?
  /// For clients and the log.
  public var reason: String
  /// The pad does not have the document, or not all of it: the client may upload it again.
  public var isLost: Bool

  /// A problem of a page, or of the document as a whole.
  public init(page: Int?, _ reason: String, isLost: Bool = false) {
    (self.page, self.reason, self.isLost) = (page, reason, isLost)
  }

  /// A page, from 1, that the pad does not have.
  public static func missing(_ page: Int) -> DocumentProblem {
    DocumentProblem(page: page, "the page has not arrived", isLost: true)
  }
}
