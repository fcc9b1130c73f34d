import Foundation
import Testing

/// The built `paraph`, run as a program.
enum Tool {
  struct Result {
    let status: Int32
    let output: String
    let error: String

    /// What is promised of every mistake: its exit code, nothing on standard output, and one line.
    func isMistake(_ code: Int32) -> Bool {
      status == code && output.isEmpty && error.hasPrefix("paraph: ") && error.hasSuffix("\n")
        && error.split(separator: "\n").count == 1
    }
  }

  /// Runs a subcommand to its end.
  static func run(_ arguments: String...) throws -> Result { try run(arguments) }

  /// Starts a subcommand, kills it after `body`, and returns how it ended.
  static func killed(_ arguments: String..., body: () throws -> Void) throws -> Int32 {
    try killed(process(arguments), body: body)
  }

  /// Starts another program, kills it after `body`, and returns how it ended.
  static func killed(
    program: String, _ arguments: String..., body: () throws -> Void
  ) throws -> Int32 {
    try killed(process(program: program, arguments), body: body)
  }

  private static func killed(_ process: Process, body: () throws -> Void) throws -> Int32 {
    process.standardError = FileHandle.nullDevice
    try process.run()
    do {
      defer {
        // Dispatch blocks all other signals on its threads, and programs inherit that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      try body()
    }
    return process.terminationStatus
  }

  /// The built program, which lies beside the bundle of the tests.
  static func url() throws -> URL {
    try #require(Bundle.main.executableURL).deletingLastPathComponent()
      .appendingPathComponent("paraph")
  }

  private static func process(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = try url()
    process.arguments = arguments
    return process
  }

  /// Runs another program of this machine; 127 where there is none of that name.
  static func run(program: String, _ arguments: String...) throws -> Result {
    try result(of: process(program: program, arguments))
  }

  private static func process(program: String, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    return process
  }

  static func run(_ arguments: [String]) throws -> Result {
    try result(of: process(arguments))
  }

  /// Runs a line of sh(1), in which "$0" is the tool.
  static func shell(_ line: String) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line, try url().path]
    return try result(of: process)
  }

  private static func result(of process: Process) throws -> Result {
    let files = try Folder()
    let (output, error) = (files.path("output"), files.path("error"))
    for path in [output, error] { try Data().write(to: URL(fileURLWithPath: path)) }
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: error))
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self),
      error: String(decoding: try Data(contentsOf: URL(fileURLWithPath: error)), as: UTF8.self))
  }
}

/// A folder of its own that goes when the test is over.
final class Folder {
  /// A configuration for a panel in memory of 320 × 240 pixels.
  static let smallPanel = """
    [display]
    card = memory
    pixels = 320x240
    size = 71x53
    [text]
    font = /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
    """

  private let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("paraph-\(UUID())")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func path(_ name: String) -> String { root.appendingPathComponent(name).path }

  /// Writes a file and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path)
  }
}

/// Where recordings of real devices lie, which are not part of the project: beside it, or nowhere.
private let sharedRecordings =
  "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  + "/../shared/recordings/"

/// Whether they are there.
let hasSharedRecordings = FileManager.default.isReadableFile(atPath: sharedRecordings)

/// The path of one of them.
func sharedRecording(_ name: String) -> String { sharedRecordings + name }
