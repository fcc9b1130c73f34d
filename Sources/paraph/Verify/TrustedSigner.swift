import CLinux
import Linux
import Spool

/// The trusted signers: the owner of a certificate, and those whom an authority has certified.
/// Checked by paraph-seal.
struct TrustedSigner {
  /// The path of the certificates of the pad's keys; nil: none was given.
  let certificate: String?
  /// The path of the authorities' certificates; nil: none was given.
  let authority: String?

  var isGiven: Bool { certificate != nil || authority != nil }

  private var options: [String] {
    ["--verify"] + (certificate.map { ["--certificate=\($0)"] } ?? [])
      + (authority.map { ["--ca=\($0)"] } ?? [])
  }

  /// Throws if a certificate cannot be used.
  func check() throws(ToolError) {
    guard isGiven else { return }
    // paraph-seal reads them as well; this names the system's error.
    for path in [certificate, authority] { if let path { _ = try Verify.read(path) } }
    let run = try run(options, input: [])
    if run.end != .exit(0) { throw run.failure(certificate ?? authority ?? "") }
  }

  /// A signer whom the authority has certified.
  struct Certified {
    /// The subject of the certificate.
    let subject: String
    /// The authority, and the time at which the certificate was valid, as a clause.
    let authority: String
  }

  /// Returns the signer that the authority has certified; nil: no authority was given. Throws if
  /// anyone else has signed.
  func signer(
    of manifest: Manifest, _ bytes: [UInt8], _ signature: [UInt8], _ item: String
  ) throws(ToolError) -> Certified? {
    var options = options
    // If the pad's clock was not set, its time does not show whether the certificate was valid.
    if authority != nil, manifest.clockSynchronized, let time = manifest.seconds {
      options.append("--time=\(time)")
    }
    let run: SealRun
    do throws(Errno) {
      let content = try FileDescriptor(memoryNamed: "content")
      try content.writeAll(bytes)
      // By this process's id, because the descriptor has another number in the child.
      options.append("--content=/proc/\(getpid())/fd/\(content.number)")
      run = try SealRun(options, input: signature)
    } catch { throw ToolError(.unavailable, "\(SealRun.program): \(error.text)") }
    if run.end == .exit(EX_DATAERR) {
      throw ToolError(.cancelled, "\(item)/\(Manifest.signatureName): \(run.reason)")
    }
    guard run.end == .exit(0) else { throw run.failure(item) }
    guard let authority else { return nil }
    let name = String(decoding: run.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let time = manifest.clockSynchronized ? "then" : "now"
    return Certified(
      subject: name, authority: "by an authority of \(authority.quoted), valid \(time)")
  }

  private func run(_ options: [String], input: [UInt8]) throws(ToolError) -> SealRun {
    do throws(Errno) { return try SealRun(options, input: input) } catch {
      throw ToolError(.unavailable, "\(SealRun.program): \(error.text)")
    }
  }
}

extension String {
  /// In quotation marks, which it cannot end: for texts of others in statements.
  var quoted: String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}
