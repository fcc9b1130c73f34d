import Configuration
import Linux

/// A path that a service's user needs.
struct AccessWish {
  let path: String
  let access: Credentials.Access
  /// The verdict if the access is refused.
  let verdict: Finding.Verdict

  init(_ path: String, _ access: Credentials.Access, _ verdict: Finding.Verdict = .wrong) {
    self.path = path
    self.access = access
    self.verdict = verdict
  }

  /// What the pad reads of the files and folders that its configuration names.
  ///
  /// Without those that do not exist, which the examination of the configuration reports.
  static func files(of pad: PadConfiguration) -> [AccessWish] {
    // Without one of these, the pad does not start, or is out of service.
    let named = [pad.theme.picture, pad.theme.logo, pad.touch.recording, pad.sign.certificate]
    let vital = named.compactMap { $0 } + pad.seal.recipients
    var others = pad.text.fallbackFonts.map { file(ofFont: $0) }
    if let font = pad.text.font { others.append(file(ofFont: font)) }
    if let notes = pad.text.notes { others.append(notes) }
    var wishes = vital.map { AccessWish($0, .read) } + others.map { AccessWish($0, .read, .note) }
    if let slides = pad.pad.slides { wishes.append(AccessWish(slides, .list, .note)) }
    return wishes.filter { !FileStatus.isMissing($0.path) }
  }

  /// The file of a font: "FILE#2" is the third face of a collection.
  private static func file(ofFont place: String) -> String {
    guard FileStatus.isMissing(place), let sign = place.lastIndex(of: "#") else { return place }
    return String(place[..<sign])
  }

  /// The folders above the path, from "/" on.
  var parents: [String] {
    var parents = ["/"]
    var folder = ""
    for name in path.split(separator: "/").dropLast() {
      folder += "/\(name)"
      parents.append(folder)
    }
    return parents
  }
}
