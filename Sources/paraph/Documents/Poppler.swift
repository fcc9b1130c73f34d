import CLinux
import Linux

/// Runs pdfinfo(1) and pdftoppm(1) of the package poppler-utils.
///
/// Both read the PDF from a file in memory and write to a pipe, so that no file is left behind however this program ends.
struct Poppler: ~Copyable {
  /// The reason why there is no output.
  enum Failure: Error {
    /// The package poppler-utils is not installed.
    case missing
    /// The program refused the PDF; its reason.
    case refused(String)
    /// The program did not end in time.
    case late
    /// A system call failed.
    case system(Errno)
  }

  /// The output of a program, and the last line of its messages; "" without one.
  struct Output {
    let bytes: [UInt8]
    let message: String
  }

  /// The time for one page, in nanoseconds: the pad discards a document after a minute without a part.
  static let pageTime: Int64 = 50_000_000_000

  private let pdf: FileDescriptor

  /// Keeps a copy of the PDF.
  init(_ bytes: [UInt8]) throws(Errno) {
    let memory = try FileDescriptor(memoryNamed: "document.pdf")
    try memory.writeAll(bytes)
    pdf = memory
  }

  /// The pages and their sizes.
  ///
  /// - Parameter limit: The number of pages whose sizes are wanted.
  func layout(limit: Int, deadline: Int64) throws(Failure) -> PDFLayout {
    let output = try run(
      "pdfinfo", ["-f", "1", "-l", "\(limit)", Poppler.input], limit: 1 << 20, deadline: deadline)
    let text = String(decoding: output.bytes, as: UTF8.self)
    guard let layout = PDFLayout(text, limit: limit) else {
      throw .refused(output.message.isEmpty ? "pdfinfo names no pages" : output.message)
    }
    return layout
  }

  /// A page as a PNG of this width in pixels.
  ///
  /// - Parameter limit: The size of the largest PNG in bytes.
  func page(
    _ number: Int, _ page: PDFLayout.Page, width: Int, limit: Int, deadline: Int64
  ) throws(Failure) -> Output {
    // The sizes are those before the page is turned.
    let (across, down) = page.isTurned ? ("-1", "\(width)") : ("\(width)", "-1")
    let output = try run(
      "pdftoppm",
      [
        "-png", "-singlefile", "-cropbox", "-f", "\(number)", "-l", "\(number)", "-scale-to-x",
        across, "-scale-to-y", down, Poppler.input,
      ], limit: limit, deadline: deadline)
    if output.bytes.isEmpty {
      throw .refused(output.message.isEmpty ? "pdftoppm made no picture" : output.message)
    }
    return output
  }

  /// The child's standard input, by a path.
  private static let input = "/proc/self/fd/0"

  /// Runs a program to its end.
  private func run(
    _ name: String, _ arguments: [String], limit: Int, deadline: Int64
  ) throws(Failure) -> Output {
    guard let path = Poppler.path(of: name) else { throw .missing }
    var output = ProgramOutput(limit: limit)
    let end: ChildProcess.End?
    do throws(Errno) {
      end = try output.read(path, arguments, input: pdf, deadline: deadline)
    } catch { throw .system(error) }
    let message = output.lastLine
    switch end {
    case .exit(0): return Output(bytes: output.bytes, message: message)
    case nil where output.isTooLarge:
      throw .refused("\(name) made more than \(limit >> 20) MiB")
    case nil: throw .late
    case .exit(let status):
      throw .refused(message.isEmpty ? "\(name) ended with exit status \(status)" : message)
    case .signal(let number): throw .refused("\(name) ended by signal \(number)")
    }
  }

  /// The path of a program in the folders of the variable PATH; nil: there is none.
  private static func path(of name: String) -> String? {
    let variable = unsafe getenv("PATH").map { unsafe String(cString: $0) }
    let folders = (variable ?? "/usr/local/bin:/usr/bin:/bin").utf8.split(
      separator: UInt8(ascii: ":"))
    return folders.map { String(Substring($0)) + "/" + name }.first {
      unsafe access($0, X_OK) == 0
    }
  }
}

extension Poppler.Failure {
  /// The tool's error for a file, or for one of its pages from 1.
  func error(_ path: String, page: Int?) -> ToolError {
    let subject = page.map { "\(path): page \($0)" } ?? path
    return switch self {
    case .missing:
      ToolError(.unavailable, "\(path): a PDF needs pdftoppm; install the package poppler-utils")
    case .refused(let reason): ToolError(.data, "\(subject): \(reason)")
    case .system(let error): ToolError(.io, "\(subject): pdftoppm: \(error.text)")
    case .late:
      ToolError(
        .data, "\(subject): pdftoppm took more than \(Poppler.pageTime / 1_000_000_000) s")
    }
  }
}
