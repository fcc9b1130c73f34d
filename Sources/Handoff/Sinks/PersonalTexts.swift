internal import Spool

extension Manifest {
  /// The lines of the texts that tell of people, in each form in which a server may repeat them.
  ///
  /// Without the name of the requester's program: that is no person's, and "paraph" is also a part
  /// of headers that a server complains of.
  var personalTexts: [String] {
    let texts = [
      reference, title, prompt, document?.name, requester?.user, requester?.token,
    ]
    var forms: [String] = []
    for case let text? in texts {
      for line in text.utf8.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
        if line.allSatisfy({ $0 <= 0x20 }) { continue }
        let part = String(Substring(line))
        forms += [part, Escape.percentEncoded(part), Escape.header(part)]
        forms += [Escape.json(part, isASCII: false), Escape.json(part, isASCII: true)]
      }
    }
    return forms
  }
}
