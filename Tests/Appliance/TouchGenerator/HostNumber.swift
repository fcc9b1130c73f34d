import CLinux

extension Double {
  /// A number as the host writes it, and nothing behind it; otherwise nil. Embedded Swift, as which
  /// this is built for the boards, does not link `Double(_: String)`.
  init?(host word: Substring) {
    let text = String(word)
    var read = 0
    self = unsafe text.withCString { start in
      var end: UnsafeMutablePointer<CChar>?
      let value = unsafe strtod(start, &end)
      if let end = unsafe end { read = unsafe UnsafePointer(end) - start }
      return value
    }
    if read == 0 || read != text.utf8.count { return nil }
  }
}
