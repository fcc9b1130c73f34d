import Glibc

/// A program of Python's in the bench's folder, which prints numbers in one line.
struct Script {
  let name: String
  /// The package that pip installs for it on first use.
  var package: String?

  /// Of the programs that `make bench` builds.
  static let programs = Program.rootPath + ".build/release/"

  /// The version with which the pages are tested: Tests/Web/pages/run.
  static let browser = "selenium==4.30.0"

  /// Returns the numbers of its first line; nothing if it fails.
  func numbers(_ arguments: String...) -> [Double] {
    let tests = Program.rootPath + "Tests/"
    let python = package.map { "'\(tests)with-python.sh' '\($0)'" } ?? "python3"
    let words = ["\(tests)Bench/\(name)"] + arguments
    let command =
      "PARAPH_PROGRAMS='\(Script.programs)' \(python) "
      + words.map { "'\($0)'" }.joined(separator: " ")
    guard let output = popen(command, "r") else { return [] }
    var line = [CChar](repeating: 0, count: 400)
    let hasLine = fgets(&line, 400, output) != nil
    guard pclose(output) == 0, hasLine else { return [] }
    let text = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
  }
}
