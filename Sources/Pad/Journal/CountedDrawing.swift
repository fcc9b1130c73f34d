internal import Control
internal import Linux

/// Draws the files of signatures for clients, and counts the attempts that end the program.
///
/// A signature that its client has not read is adopted by the next start, and the client asks again: one whose
/// drawing crashes would end every start. After `CrashCounter.limit` of them `JournalRecovery` sets it aside.
struct CountedDrawing {
  /// The journal's folder; nil: there is none, and nothing to be adopted.
  let path: String?
  /// The file in a format; nil if it cannot be drawn.
  let draw: (SignatureFormat, SavedSignature) -> [UInt8]?

  /// The file of a signature in a format; nil if it cannot be drawn.
  func file(_ format: SignatureFormat, of signature: SavedSignature) -> [UInt8]? {
    guard let path, let name = InkJournal.crashesName(signature.id) else {
      return draw(format, signature)
    }
    var attempts = CrashCounter(in: path, name)
    attempts.begin()
    defer { attempts.clear() }
    return draw(format, signature)
  }
}
