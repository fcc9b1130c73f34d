/// A document that waits for its request.
struct WaitingDocument {
  /// A page that a client uploads.
  struct Upload {
    let client: Int
    let page: Int
    let isText: Bool
    /// The bytes of the page that the pad has.
    var offset = 0
    /// The part that waits for the pad, or that it is about to answer.
    var part: [UInt8]?
    var isLast = false
    /// The last bytes that the pad has, as many as a PNG's last chunk.
    private(set) var ending: [UInt8] = []

    /// The chunk IEND (W3C PNG, 11.2.5): the pad accepts no PNG with another end.
    private static let pngEnd: [UInt8] = [
      0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    init(client: Int, page: Int, isText: Bool) {
      self.client = client
      self.page = page
      self.isText = isText
    }

    /// Whether the pad has the whole page. PutPage does not say which part is the last.
    var isComplete: Bool { isText || ending == Upload.pngEnd }

    /// The pad has the part.
    mutating func advance() {
      guard let part else { return }
      offset += part.count
      let count = Upload.pngEnd.count
      ending = Array((ending + part.suffix(count)).suffix(count))
      self.part = nil
    }
  }

  /// A part that the pad is about to answer.
  struct Pending {
    /// It may have gone.
    let client: Int
    /// When the pad must have answered.
    let end: Int64
  }

  let owner: Owner
  let id: String
  /// The number of its connection.
  let connection: Int
  var uploads: [Upload] = []
  /// Whether a part was sent: the pad has nothing of others.
  var isSent = false
  /// The part that the pad is about to answer; nil: none.
  var pending: Pending?
  var lastUse: Int64
  /// When it is discarded, unless a page is being uploaded.
  var end: Int64

  /// When it is discarded; nil: not before the next part or the end of an upload.
  var deadline: Int64? {
    let unused = uploads.isEmpty ? end : nil
    return [unused, pending?.end].compactMap { $0 }.min()
  }
}
