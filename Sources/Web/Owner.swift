/// The client that a document or a request belongs to: to another one, the same id or reference means another.
struct Owner: Equatable {
  /// The place of the bearer token in the configuration; nil: none was sent.
  let token: Int?
  /// The origin of the page; nil: a program.
  let origin: String?
}
