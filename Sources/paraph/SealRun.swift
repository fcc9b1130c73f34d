import CLinux
import Linux
import Spool

/// A run of paraph-seal, so that this program does not contain OpenSSL.
struct SealRun {
  /// The program beside this one.
  static var program: String { Process.path(besideThis: "paraph-seal") }

  /// How it ended.
  let end: ChildProcess.End?
  /// Standard output.
  let output: [UInt8]
  /// The first line of standard error, without the program's name.
  let reason: String

  /// Runs it to its end.
  init(_ options: [String], input bytes: [UInt8]) throws(Errno) {
    let input = try FileDescriptor(memoryNamed: "input")
    try input.writeAll(bytes)
    let output = try FileDescriptor(memoryNamed: "output")
    let errors = try FileDescriptor(memoryNamed: "errors")
    let start = try input.again()
    var child = try ChildProcess(
      Self.program, options, input: start.number, output: output.number, error: errors.number)
    end = try child.wait()
    self.output = try output.again().readAll(limit: 2 * ItemFile.sizeLimit) ?? []
    let text = (try errors.again().readAll(limit: 4096) ?? []).prefix { $0 != UInt8(ascii: "\n") }
    let name = Array("paraph-seal: ".utf8)
    reason = String(
      decoding: text.starts(with: name) ? text.dropFirst(name.count) : text, as: UTF8.self)
  }

  /// The error of a run that has failed, about this file.
  func failure(_ path: String) -> ToolError {
    let error = failure
    return error.code == .data ? ToolError(.data, "\(path): \(error.text)") : error
  }

  /// The error of a run that has failed.
  var failure: ToolError {
    guard case .exit(let status)? = end, let code = ToolError.Code(rawValue: status),
      !reason.isEmpty
    else { return ToolError(.software, "paraph-seal has crashed") }
    return ToolError(code, reason)
  }
}

extension FileDescriptor {
  /// The same file, opened at its begin.
  fileprivate borrowing func again() throws(Errno) -> FileDescriptor {
    try FileDescriptor(opening: "/proc/self/fd/\(number)", O_RDONLY)
  }
}
