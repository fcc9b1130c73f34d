import CLinux
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

  /// What paraph-handoff reads or runs of the files that its configuration names.
  ///
  /// Without those that do not exist, as above, and without credentials, which systemd reads.
  static func files(of handoff: HandoffConfiguration) -> [AccessWish] {
    var named: [String?] = []
    var programs: [String] = []
    for sink in handoff.sinks {
      switch sink.kind {
      case .directory: break
      case .command(let command): programs += command.words.prefix(1)
      case .http(let http):
        named += [file(of: http.token), file(of: http.signingKey)] + files(of: http.tls)
        for header in http.secretHeaders { named.append(file(of: header.value)) }
      case .s3(let s3):
        if case .secret(let key) = s3.accessKey { named.append(file(of: key)) }
        named += [file(of: s3.secretKey), file(of: s3.sessionToken)] + files(of: s3.tls)
      case .mqtt(let mqtt): named += [file(of: mqtt.password)] + files(of: mqtt.tls)
      }
    }
    if let timestamp = handoff.timestamp {
      named += [timestamp.authority] + files(of: timestamp.tls)
      for header in timestamp.secretHeaders { named.append(file(of: header.value)) }
    }
    var wishes: [AccessWish] = []
    // Several sinks may share a file.
    for case let path? in named where !wishes.contains(where: { $0.path.isSame(as: path) }) {
      wishes.append(AccessWish(path, .read))
    }
    // Without one of these, its expiry is not reported. Sinks may need it, too.
    for path in handoff.certificates where !wishes.contains(where: { $0.path.isSame(as: path) }) {
      wishes.append(AccessWish(path, .read, .note))
    }
    // Running a program needs the same bit as searching a folder. The interpreter of a script also
    // reads it.
    wishes += programs.map { AccessWish($0, isScript($0) ? .list : .search) }
    return wishes.filter { !FileStatus.isMissing($0.path) }
  }

  /// Whether an interpreter runs the program; false if that cannot be read.
  private static func isScript(_ path: String) -> Bool {
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      return try file.read(2, at: 0) == [UInt8(ascii: "#"), UInt8(ascii: "!")]
    } catch { return false }
  }

  private static func file(of secret: Secret?) -> String? {
    if case .file(let path)? = secret { return path }
    return nil
  }

  private static func files(of tls: TLSConfiguration) -> [String?] {
    [tls.authority, tls.certificate, tls.key]
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
