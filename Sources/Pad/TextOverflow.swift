/// A text of a request that does not fit the panel, even as small as it can be read.
struct TextOverflow: Equatable, Sendable {
  /// The call's parameter.
  let parameter: String
  /// How many code points of it fit.
  let limit: Int
}
