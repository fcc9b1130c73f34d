internal import JSON

/// Identifies a request that a client repeats: by its reference, its document and the client.
struct RequestKey: Equatable {
  let reference: String
  /// The digest of the document, as the client has sent it; nil: no document.
  let document: String?
  let owner: Owner

  /// The key of a request with these parameters; nil: without a reference, it cannot be resumed.
  init?(_ parameters: [(String, JSONValue)], owner: Owner) {
    guard let reference = parameters.first(where: { $0.0 == "reference" })?.1.text else {
      return nil
    }
    self.reference = reference
    let document = parameters.first { $0.0 == "document" && !$0.1.isNull }?.1
    // Without a digest, the pad refuses it.
    self.document = document.map { $0["digest"]?.text ?? "" }
    self.owner = owner
  }
}
