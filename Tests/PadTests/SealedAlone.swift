import SealClient

@testable import Pad

extension Sealing {
  /// Seals by a process that does nothing else.
  func seal(_ files: [File]) throws(SealFailure) -> [File] {
    var exchange = SealExchange(with: program)
    defer { exchange.end() }
    return try seal(files, by: &exchange, isLast: true)
  }
}

extension Signing {
  /// Signs by a process that does nothing else.
  func sign(_ bytes: [UInt8]) throws(SealFailure) -> [UInt8] {
    var exchange = SealExchange(with: program)
    defer { exchange.end() }
    return try sign(bytes, by: &exchange)
  }
}
