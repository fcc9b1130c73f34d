import CLinux
import Commands
import Linux
import Nettle
import Spool

struct Verify: Runnable {
  static var command: Command {
    Command(
      "verify", "State what is proven of items, and what is not.",
      discussion: [
        "ITEM is the folder of a signature as it was delivered. With the pad's certificate, or an authority's that has "
          + "certified it, is proven that the pad's key has signed the manifest, which lists the digests of all files. "
          + "The first line about an item is what is proven; the others say on whose word the rest is. With neither, "
          + "anybody can have made the item.",
        "The time is that of the pad's clock, unless a time stamp authority confirms it: then the signature existed at the "
          + "time that the authority states, and not only at a later one.",
        "With --chain, the items are also checked to be all that the pad has signed from the first to the last of them: "
          + "every number that is missing is named, unless the pad itself has erased it or not used it. Give all items "
          + "of one pad.",
        "Without this program, \"openssl cms -verify -inform DER -binary -in signature.json.p7s -content signature.json "
          + "-certfile PAD -nointern -noverify\" checks the manifest, and sha256sum the files.",
      ],
      options: [
        Option(
          "certificate", value: "FILE", values: .file(["pem", "crt"]),
          "The pad's certificate in PEM, from a source that you trust. If its key was replaced, the file has the former "
            + "certificates, too."),
        Option(
          "ca", value: "FILE", values: .file(["pem", "crt"]),
          "The certificates in PEM of authorities that you trust. The pad's must lead to one of them, and be valid when "
            + "the item was signed. Revocation is not checked."),
        Option(
          "document", value: "FILE", values: .file([]),
          "The original of the document that was signed: check that the manifest names it."),
        Option(
          "timestamp-ca", value: "FILE", values: .file(["pem", "crt"]),
          "Check the time stamps against the certificates in FILE (PEM): of the authority that issues them, or of one "
            + "above it. An item without a time stamp is then an error."),
        Option(flag: "chain", "Check that no item is missing between the first and the last."),
      ],
      operands: [Operand("ITEM", count: .several, values: .folder, "The folder of a signature.")],
      examples: [
        Command.Example(
          "paraph verify --certificate pad.pem --chain outbox/*",
          "Check all items that were delivered, and that none is missing.")
      ],
      exitCodes: [
        Command.ExitCode(0, "Everything that the options ask for is proven, and who has signed."),
        Command.ExitCode(1, "Something is not proven, or was changed."),
        Command.ExitCode(66, "A certificate, the document or an item cannot be read."),
        Command.ExitCode(69, "The program paraph-seal is not beside this one."),
      ])
  }

  private let items: [String]
  private let trust: TrustedSigner
  private let timestampAuthority: String?
  private let document: String?
  private let isChain: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    items = arguments.operands
    trust = TrustedSigner(
      certificate: arguments.value("certificate"), authority: arguments.value("ca"))
    timestampAuthority = arguments.value("timestamp-ca")
    document = arguments.value("document")
    isChain = arguments.has("chain")
  }

  func run() throws(ToolError) {
    // Checked before the items, which are not to blame for an unusable certificate.
    try trust.check()
    try TrustedSigner(certificate: nil, authority: timestampAuthority).check()
    let digest = try document.map { (path) throws(ToolError) in try Self.digest(of: path) }
    var failures: [ToolError] = []
    var proven: [ChainCheck.Item] = []
    var subject: String?
    for item in items {
      do throws(ToolError) {
        var output = StandardOutput()
        let (found, signer, lines) = try verify(item, digest)
        for line in lines { try output.line(line.printable) }
        try output.flush()
        // An authority may have certified other pads, too. Their items do not belong to one chain.
        // With the pad's certificates, each item is the pad's, whatever names they have.
        if isChain, trust.certificate == nil, let signer {
          if let subject, subject != signer {
            throw unproven(
              "\(item): was signed by \(signer.quoted), and others by \(subject.quoted): not of one pad"
            )
          }
          subject = signer
        }
        if isChain { proven.append(found) }
      } catch { failures.append(error) }
    }
    if isChain { failures += try checkChain(proven) }
    if !trust.isGiven {
      failures.append(
        ToolError(.cancelled, "not proven: who has made this; give --certificate or --ca"))
    }
    for failure in failures.dropLast() { Notice.write(failure.text) }
    if let failure = failures.last { throw failure }
  }

  private func checkChain(_ items: [ChainCheck.Item]) throws(ToolError) -> [ToolError] {
    // Without a trusted signer, anybody may have made the items.
    if !trust.isGiven { return [] }
    let chain = ChainCheck(items)
    var output = StandardOutput()
    for fact in chain.facts { try output.line("chain: \(fact)".printable) }
    try output.flush()
    return chain.problems.map { ToolError(.cancelled, "chain: \($0)") }
  }

  // MARK: - An item

  /// What is known of an item, one line each.
  private func verify(
    _ item: String, _ document: String?
  ) throws(ToolError) -> (ChainCheck.Item, String?, [String]) {
    let bytes = try Self.read("\(item)/\(Manifest.name)")
    let manifest: Manifest
    do throws(ValidationError) { manifest = try Manifest(bytes) } catch {
      throw unproven("\(item)/\(error.reason)")
    }
    let names: [String]
    do throws(Errno) { names = try Folder.names(of: item) } catch {
      throw ToolError(.noInput, SystemError("read", item, error).text)
    }
    var signer: TrustedSigner.Certified?
    var signature: [UInt8]?
    if names.contains(Manifest.signatureName) {
      signature = try Self.read("\(item)/\(Manifest.signatureName)")
    }
    if trust.isGiven {
      guard let signature else {
        throw unproven("\(item): is not signed: it has no \(Manifest.signatureName)")
      }
      signer = try trust.signer(of: manifest, bytes, signature, item)
    }
    // The files of another item prove nothing about this one.
    if let name = item.split(separator: "/").last, let id = ItemID(String(name)), id != manifest.id
    {
      throw unproven("\(item): is another item: \(manifest.id.text)")
    }
    try checkFiles(of: manifest, names, item)
    if let document { try check(document, manifest, item) }
    let time = try TimestampProof(item: item, names: names, authority: timestampAuthority)
      .clause(signature: signature ?? [], of: manifest)
    let clock = manifest.clockSynchronized ? "" : ", by a clock that was not set"
    let number = "signature \(manifest.sequence)"
    let who: String
    if trust.certificate != nil {
      who = "\(number) of this pad"
    } else {
      who = signer.map { "\(number) by \($0.subject.quoted)" } ?? "unknown maker"
    }
    let head =
      "\(item): \(manifest.id.text): \(who), \(manifest.time)\(clock); "
      + "\(manifest.files.count) files are unchanged"
    let digest = SHA256.text(of: bytes)
    return (
      ChainCheck.Item(path: item, manifest, digest: digest), signer?.subject,
      [head] + statements(manifest, signer, time).map { "  " + $0 }
    )
  }

  private func checkFiles(
    of manifest: Manifest, _ names: [String], _ item: String
  ) throws(ToolError) {
    let listed =
      manifest.files.map { $0.file.name } + [Manifest.name] + ItemProof.allCases.map { $0.name }
    if let name = names.first(where: { !listed.contains($0) }) {
      throw unproven("\(item)/\(name): is not in the manifest")
    }
    for file in manifest.files {
      guard names.contains(file.file.name) else {
        throw unproven("\(item)/\(file.file.name): is missing")
      }
      if SHA256.text(of: try Self.read("\(item)/\(file.file.name)")) != file.sha256 {
        throw unproven("\(item)/\(file.file.name): was changed")
      }
    }
  }

  private func check(_ document: String, _ manifest: Manifest, _ item: String) throws(ToolError) {
    guard let shown = manifest.document else {
      throw unproven("\(item): no document was shown before it was signed")
    }
    if shown.digest != document {
      throw unproven("\(item): another document was shown: \(shown.name.quoted)")
    }
  }

  /// The proven facts beside the files, and the source of each other statement.
  private func statements(
    _ manifest: Manifest, _ signer: TrustedSigner.Certified?, _ timestamp: String
  ) -> [String] {
    var lines: [String] = []
    if let signer { lines.append("certified: \(signer.subject.quoted), \(signer.authority)") }
    lines.append("time: by the pad's own clock; \(timestamp)")
    if let shown = manifest.document {
      let isProven = document != nil
      lines.append(
        "document: \(shown.name.quoted)"
          + (isProven ? ", which is this file" : "; give --document to compare the original"))
    }
    if let requester = manifest.requester {
      let user = requester.user.map { "\($0.quoted) (\(requester.uid))" } ?? "\(requester.uid)"
      let names = [
        ("program (as it calls itself)", requester.program), ("token", requester.token),
      ].compactMap { name, text in text.map { ", \(name) \($0.quoted)" } }
      lines.append("asked for by: user \(user)\(names.joined())")
    }
    if !isChain { lines.append("not proven: that no other item was removed; see --chain") }
    return lines
  }

  private func unproven(_ text: String) -> ToolError { ToolError(.cancelled, text) }

  // MARK: - Files

  static func read(_ path: String) throws(ToolError) -> [UInt8] {
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      guard let bytes = try file.readAll(limit: ItemFile.sizeLimit) else { throw Errno(EFBIG) }
      return bytes
    } catch { throw ToolError(.noInput, SystemError("read", path, error).text) }
  }

  /// The SHA-256 of a file of any size.
  private static func digest(of path: String) throws(ToolError) -> String {
    var stream = SHA256.Stream()
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        var span = chunk.mutableSpan
        var bytes = unsafe span.mutableBytes
        let count = try file.read(into: &bytes)
        if count == 0 { return stream.text }
        stream.add(Array(chunk[..<count]))
      }
    } catch { throw ToolError(.noInput, SystemError("read", path, error).text) }
  }
}
