/// A PDF without texts: page n shows n bars.
struct TinyPDF {
  var pages = 1
  /// The size of a page in points.
  var size = (width: 595, height: 842)
  /// By how many degrees viewers turn each page.
  var angle = 0
  /// Whether it needs a password that nobody knows.
  var isEncrypted = false

  /// The file. All of it is ASCII.
  var text: String {
    var text = "%PDF-1.4\n"
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
    for offset in offsets {
      let digits = "\(offset)"
      text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    let nines = String(repeating: "99", count: 32)
    let lock =
      " /ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <\(nines)> /U <\(nines)> >>"
    text += "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R\(isEncrypted ? lock : "") >>\n"
    return text + "startxref\n\(start)\n%%EOF\n"
  }

  /// The catalogue, the tree of pages, and a page and its drawing for each.
  private var objects: [String] {
    let numbers = 0..<pages
    let kids = numbers.map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
    var objects = [
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [\(kids)] /Count \(pages) >>",
    ]
    for index in numbers {
      let bars = (0...index).map { "\(20 + 11 * $0) 400 7 200 re f\n" }.joined()
      objects.append(
        "<< /Type /Page /Parent 2 0 R /Rotate \(angle) /Contents \(4 + 2 * index) 0 R"
          + " /MediaBox [0 0 \(size.width) \(size.height)] >>")
      objects.append("<< /Length \(bars.utf8.count) >>\nstream\n\(bars)endstream")
    }
    return objects
  }
}
