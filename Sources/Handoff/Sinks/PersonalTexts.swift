internal import Linux
internal import Spool

extension Manifest {
  /// The lines of the texts that tell of people, as they are, and as requests have them in their
  /// URL and headers.
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
        // Of a lone dash, a line would have too many.
        guard ReceiverLine.hasWord(line), let start = line.firstIndex(where: { $0 > 0x20 }),
          let end = line.lastIndex(where: { $0 > 0x20 })
        else { continue }
        // Servers remove blanks at the ends.
        let part = String(Substring(line[start...end]))
        forms.append(part)
        for form in [Escape.percentEncoded(part), Escape.header(part)]
        where !form.isSame(as: part) {
          forms.append(form)
        }
      }
    }
    return forms
  }
}
