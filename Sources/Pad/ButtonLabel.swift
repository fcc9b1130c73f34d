internal import Ink
internal import Text

/// What stands on a button: a sign, a word, or both.
struct ButtonLabel: Sendable {
  let button: Button
  /// Where its sign is; nil: it has a word alone.
  let sign: Area?
  /// Its word; nil: it has a sign alone.
  let word: PlacedText?
}
