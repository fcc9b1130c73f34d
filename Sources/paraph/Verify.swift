import CLinux
import Commands
import Linux
import Nettle
import Spool

struct Verify: Runnable {
  static var command: Command {
    Command(
      "verify", "Check that a pad has signed items, and that they are unchanged.",
      discussion: [
        "ITEM is the folder of a signature as it was delivered. The pad's certificate proves that the pad's key has signed "
          + "the manifest, and the manifest lists the digests of all files. Nothing proves that no "
          + "item was removed.",
        "The time is that of the pad's clock, unless a time stamp authority confirms it: then the signature existed at the "
          + "time that the authority states, and not only at a later one.",
        "Without this program, \"openssl cms -verify -inform DER -binary -in signature.json.p7s -content signature.json "
          + "-certfile PAD -nointern -noverify\" checks the manifest, and sha256sum the files.",
      ],
      options: [
        Option(
          "certificate", value: "FILE", values: .file(["pem", "crt"]), isRequired: true,
          "The pad's certificate in PEM, from a source that you trust."),
        Option(
          "timestamp-ca", value: "FILE", values: .file(["pem", "crt"]),
          "Check the time stamps against the certificates in FILE (PEM): of the authority that issues them, or of one "
            + "above it. An item without a time stamp is then an error."),
      ],
      operands: [Operand("ITEM", count: .several, values: .folder, "The folder of a signature.")],
      examples: [
        Command.Example(
          "paraph verify --certificate pad.pem outbox/*", "Check all items that were delivered.")
      ],
      exitCodes: [
        Command.ExitCode(0, "All items are as the pad has signed them."),
        Command.ExitCode(1, "An item is not signed by this pad, or was changed."),
        Command.ExitCode(66, "The certificate, or an item, cannot be read."),
        Command.ExitCode(69, "The program paraph-seal is not beside this one."),
      ])
  }

  private let items: [String]
  private let certificate: String
  private let timestampAuthority: String?

  init(_ arguments: Arguments) throws(UsageError) {
    items = arguments.operands
    certificate = try arguments.required("certificate")
    timestampAuthority = arguments.value("timestamp-ca")
  }

  func run() throws(ToolError) {
    // Checked first: without it, no item is wrong.
    _ = try read(certificate)
    if let timestampAuthority { try TimestampProof.check(timestampAuthority) }
    var failure: ToolError?
    for item in items {
      do throws(ToolError) {
        var output = StandardOutput()
        try output.line(try verify(item).printable)
        try output.flush()
      } catch {
        if let failure { Notice.write(failure.text) }
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// The facts that are proven of an item, on one line.
  private func verify(_ item: String) throws(ToolError) -> String {
    let bytes = try read("\(item)/\(Manifest.name)")
    let manifest: Manifest
    do throws(ValidationError) { manifest = try Manifest(bytes) } catch {
      throw unproven("\(item)/\(error.reason)")
    }
    let names: [String]
    do throws(Errno) { names = try Folder.names(of: item) } catch {
      throw ToolError(.noInput, SystemError("read", item, error).text)
    }
    guard names.contains(Manifest.signatureName) else {
      throw unproven("\(item): is not signed: it has no \(Manifest.signatureName)")
    }
    let signature = try read("\(item)/\(Manifest.signatureName)")
    try checkSignature(of: bytes, signature, item)
    // Another item's files prove nothing of this one.
    if let name = item.split(separator: "/").last, let id = ItemID(String(name)), id != manifest.id
    {
      throw unproven("\(item): is another item: \(manifest.id.text)")
    }
    let listed =
      manifest.files.map { $0.file.name } + [Manifest.name] + ItemProof.allCases.map { $0.name }
    if let name = names.first(where: { !listed.contains($0) }) {
      throw unproven("\(item)/\(name): is not in the manifest")
    }
    for file in manifest.files {
      guard names.contains(file.file.name) else {
        throw unproven("\(item)/\(file.file.name): is missing")
      }
      if SHA256.text(of: try read("\(item)/\(file.file.name)")) != file.sha256 {
        throw unproven("\(item)/\(file.file.name): was changed")
      }
    }
    let time = try TimestampProof(item: item, names: names, authority: timestampAuthority)
      .clause(signature: signature)
    let clock = manifest.clockSynchronized ? "" : ", by a clock that was not set"
    return
      "\(item): \(manifest.id.text): signature \(manifest.sequence) of this pad, \(manifest.time)\(clock); \(time); "
      + "\(manifest.files.count) files are unchanged"
  }

  private func unproven(_ text: String) -> ToolError { ToolError(.cancelled, text) }

  private func read(_ path: String) throws(ToolError) -> [UInt8] {
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      guard let bytes = try file.readAll(limit: ItemFile.sizeLimit) else { throw Errno(EFBIG) }
      return bytes
    } catch { throw ToolError(.noInput, SystemError("read", path, error).text) }
  }

  private func checkSignature(
    of manifest: [UInt8], _ signature: [UInt8], _ item: String
  ) throws(ToolError) {
    let run: SealRun
    do throws(Errno) {
      let content = try FileDescriptor(memoryNamed: "content")
      try content.writeAll(manifest)
      // Of this process: the other one has it under another number.
      let path = "/proc/\(getpid())/fd/\(content.number)"
      run = try SealRun(
        ["--verify", "--certificate=\(certificate)", "--content=\(path)"], input: signature)
    } catch { throw ToolError(.unavailable, "\(SealRun.program): \(error.text)") }
    if run.end == .exit(0) { return }
    if run.end == .exit(EX_DATAERR) {
      throw unproven("\(item)/\(Manifest.signatureName): \(run.reason)")
    }
    throw run.failure(item)
  }
}
