import CLinux
import Linux
import Seal
import Spool

/// What the time stamp of a delivered item proves (RFC 3161), in words.
struct TimestampProof {
  /// The item's folder, and the names in it.
  let item: String
  let names: [String]
  /// The file with the certificates of the authority; nil: time stamps are not checked.
  let authority: String?

  /// A clause about the time of this signature of the manifest.
  func clause(signature: [UInt8], of manifest: Manifest) throws(ToolError) -> String {
    let name = Manifest.timestampName
    guard names.contains(name) else {
      let reason =
        names.contains(Manifest.missingTimestampName)
        ? "it has only a mark, which anybody can make, that there was none" : "it has no \(name)"
      if authority == nil { return "no authority confirms the time: \(reason)" }
      throw ToolError(
        .cancelled,
        "\(item): no authority confirms the time: \(reason); without --timestamp-ca, only the pad's clock counts"
      )
    }
    guard let authority else { return "\(name) is not checked without --timestamp-ca" }
    let stamp = SealStamp(
      response: try read(name, limit: Manifest.timestampLimit), of: signature, to: nil,
      trusting: try Self.read(authority, limit: SealRequest.certificateSizeLimit))
    switch try Self.reply(to: .stamp(stamp), item) {
    case .stamped(let timestamp):
      // Both texts have the same form, in which byte order is the order of time.
      let latest = WallClock.text((timestamp.time + SealTimestamp.tolerance) &* 1_000_000_000)
      if manifest.clockSynchronized, latest.utf8.lexicographicallyPrecedes(manifest.time.utf8) {
        throw ToolError(
          .cancelled,
          "\(item)/\(name): the authority states a time before the signature: "
            + WallClock.text(timestamp.time &* 1_000_000_000))
      }
      // To the second: "2026-11-24T09:51:05" of "2026-11-24T09:51:05.000Z".
      let time = WallClock.text(timestamp.time &* 1_000_000_000).utf8.dropLast(5)
      return
        "existed at \(String(decoding: time, as: UTF8.self))Z, as \(timestamp.authority) states"
        + Self.delay(of: timestamp, after: manifest)
    case .failed(let reason), .rejected(let reason):
      throw ToolError(.cancelled, "\(item)/\(name): \(reason)")
    default: throw ToolError(.software, "\(item)/\(name): the reply of paraph-seal is invalid")
    }
  }

  /// Reports a time stamp that is an hour or more later than the manifest's time.
  ///
  /// The owner of the pad's key can state an earlier time in a manifest, but cannot get an earlier
  /// time stamp.
  private static func delay(of timestamp: SealTimestamp, after manifest: Manifest) -> String {
    guard let signed = manifest.seconds else { return "" }
    let (seconds, isTooLate) = timestamp.time.subtractingReportingOverflow(signed)
    let hours = isTooLate ? 0 : seconds / 3600
    if hours < 1 { return "" }
    let text = hours < 48 ? "\(hours) h" : "\(hours / 24) days"
    return ", \(text) after the pad's time: nothing proves that it is older"
  }

  private static func reply(
    to request: SealRequest, _ item: String
  ) throws(ToolError) -> SealReply {
    let run: SealRun
    do throws(Errno) {
      run = try SealRun([], input: request.bytes ?? [])
    } catch { throw ToolError(.unavailable, "\(SealRun.program): \(error.text)") }
    guard run.end == .exit(0), let content = SealFrame.content(of: run.output),
      let reply = SealReply(content: content)
    else { throw run.failure(item) }
    return reply
  }

  private func read(_ name: String, limit: Int) throws(ToolError) -> [UInt8] {
    try Self.read("\(item)/\(name)", limit: limit)
  }

  private static func read(_ path: String, limit: Int) throws(ToolError) -> [UInt8] {
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
      guard let bytes = try file.readAll(limit: limit) else { throw Errno(EFBIG) }
      return bytes
    } catch { throw ToolError(.noInput, SystemError("read", path, error).text) }
  }
}
