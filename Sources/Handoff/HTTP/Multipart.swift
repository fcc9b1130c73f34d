internal import Spool

/// An item as multipart/form-data (RFC 7578). The same item always makes the same bytes: a receiver may
/// compare repetitions.
struct Multipart {
  let contentType: String
  let body: [UInt8]

  init(_ item: Item) {
    // The digest of the picture: nothing in the item holds it with these words before it.
    let digest = item.files.first { $0.name == ItemFile.png.name }?.sha256 ?? ""
    let boundary = "paraph-part-" + String(decoding: digest.utf8.prefix(32), as: UTF8.self)
    var body: [UInt8] = []
    for file in item.files {
      let head =
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(file.name)\"; "
        + "filename=\"\(file.name)\"\r\nContent-Type: \(file.mediaType)\r\n\r\n"
      body += Array(head.utf8) + file.bytes + Array("\r\n".utf8)
    }
    body += Array("--\(boundary)--\r\n".utf8)
    self.body = body
    contentType = "multipart/form-data; boundary=\(boundary)"
  }
}
