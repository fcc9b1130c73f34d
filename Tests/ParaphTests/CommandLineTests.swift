import Commands
import Configuration
import Foundation
import SpoolFixtures
import Testing

@testable import paraph

/// The command lines of all programs: help, manual pages and completions out of one description.
@Suite struct CommandLineTests {
  static let programs = [
    ParaphCommand.command, DaemonArguments.pad, DaemonArguments.handoff, DaemonArguments.seal,
    DaemonArguments.web,
  ]
  static let names = programs.map { $0.name }

  struct Level {
    let path: [String]
    let command: Command
  }

  /// A program and all commands below it.
  static func levels(_ command: Command, _ path: [String] = []) -> [Level] {
    let path = path + [command.name]
    return [Level(path: path, command: command)] + command.subcommands.flatMap { levels($0, path) }
  }

  static let all = programs.flatMap { levels($0) }

  private func source(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  private func page(_ name: String) throws -> String {
    try source("config/man/\(name).\(name == "paraph" ? 1 : 8)")
  }

  @Test func `every help fits into 80 columns, and names all that the command takes`() {
    for level in Self.all {
      let help = level.command.help(level.path)
      #expect(help.hasSuffix("\n") && !help.contains("\n\n\n"))
      for line in help.split(separator: "\n") {
        #expect(line.unicodeScalars.count < 80, "\(level.path): \(line)")
        #expect(line.last != " ", "\(level.path): \(line)")
      }
      let words = help.split { $0.isWhitespace }.joined(separator: " ")
      for option in level.command.allOptions {
        #expect(words.contains("--\(option.name)") && words.contains(option.fullHelp))
      }
      for operand in level.command.operands { #expect(words.contains(operand.fullHelp)) }
      for below in level.command.subcommands { #expect(words.contains(below.abstract)) }
      for code in level.command.exitCodes { #expect(words.contains("\(code.code) \(code.text)")) }
    }
  }

  @Test func `abstracts are one short sentence, and helps are sentences`() {
    for level in Self.all {
      let abstract = level.command.abstract
      #expect(abstract.hasSuffix(".") && abstract.split(separator: " ").count <= 12, "\(abstract)")
      #expect(abstract.first?.isUppercase == true)
      // An imperative has no s: "Print", not "Prints".
      #expect(abstract.split(separator: " ").first?.hasSuffix("s") == false, "\(abstract)")
      let texts =
        level.command.allOptions.map { $0.fullHelp } + level.command.operands.map { $0.fullHelp }
        + level.command.exitCodes.map { $0.text } + level.command.discussion
        + level.command.examples.map { $0.text }
      for text in texts { #expect(text.hasSuffix(".") && !text.contains("  "), "\(text)") }
    }
  }

  /// The words of a line of the shell, up to a redirection or another command.
  ///
  /// Only whole words are quoted.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        words.append(String(part))
        continue
      }
      for word in part.split(separator: " ") {
        if ["|", "<", ">", "&&"].contains(word) { return words }
        words.append(String(word))
      }
    }
    return words
  }

  // The only test of this program that parses here: getopt_long(3) has one state.
  @Test func `every command shows an example that it accepts`() throws {
    for program in Self.programs {
      for level in Self.levels(program) where level.command.subcommands.isEmpty {
        var accepted = 0
        for example in level.command.examples {
          var words = Self.words(example.line)[...]
          // The user of a service, "--" and its program follow.
          if words.starts(with: ["sudo", "runuser", "-u"]) { words = words.dropFirst(5) }
          words = words.drop { $0 == "sudo" }
          // What a client of paraph-web runs.
          if words.first == "curl" { continue }
          #expect(words.starts(with: level.path), "\(example.line)")
          do throws(UsageError) {
            guard case .run(let arguments) = try program.parse(Array(words.dropFirst())) else {
              Issue.record("prints a text: \(example.line)")
              continue
            }
            #expect(arguments.command == level.path, "\(example.line)")
            accepted += 1
          } catch {
            Issue.record("\(example.line): \(error.line)")
          }
        }
        #expect(accepted > 0, "\(level.path)")
      }
    }
  }

  /// `root` reads what the service's user may not.
  @Test(arguments: ["paraphd", "paraph-handoff", "paraph-web"])
  func `help and file name the check as the service's user`(_ name: String) throws {
    let unit = try source("systemd/\(name).service").split(separator: "\n")
    let user = try #require(unit.first { $0.hasPrefix("User=") }).dropFirst("User=".count)
    let check = "sudo runuser -u \(user) -- \(name) --check-config"
    let program = try #require(Self.programs.first { $0.name == name })
    #expect(program.examples.contains { $0.line == check })
    #expect(try source("config/\(name).conf").contains("\n# Check:  \(check)\n"))
  }

  @Test(arguments: names) func `the manual page documents every option of every command`(
    _ name: String
  ) throws {
    let program = try #require(Self.programs.first { $0.name == name })
    let page = try page(name)
    let escapes = [
      ("-", "-"), ("(dq", "\""), ("(aq", "'"), ("(ga", "`"), ("(ti", "~"), ("(ha", "^"),
    ]
    let plain = escapes.reduce(page) {
      $0.replacingOccurrences(of: "\\" + $1.0, with: $1.1)
    }
    for level in Self.levels(program) where level.command.subcommands.isEmpty {
      let title = ".SS \(level.command.usage(level.path))\n"
      var section = plain[...]
      if level.path.count > 1 {
        let start = try #require(plain.range(of: title), "\(title)")
        section = plain[start.upperBound...]
        if let end = section.range(of: "\n.S") { section = section[..<end.lowerBound] }
        #expect(section.contains(level.command.abstract))
      }
      for option in level.command.allOptions {
        #expect(section.contains("\\fB--\(option.name)\\fR"), "\(level.path) --\(option.name)")
        #expect(section.contains(option.fullHelp), "\(level.path) --\(option.name)")
      }
      for operand in level.command.operands { #expect(section.contains(operand.fullHelp)) }
      for code in level.command.exitCodes { #expect(section.contains(code.text)) }
      for example in level.command.examples { #expect(plain.contains(example.text)) }
    }
    #expect(
      page.contains("\"Paraph \(DaemonArguments.version)\"") && page.contains(".SH EXAMPLES\n"))
    #expect(!page.contains("@"))
  }

  @Test(arguments: names) func `pages and completions are those of today's descriptions`(
    _ name: String
  ) throws {
    let program = try #require(Self.programs.first { $0.name == name })
    let suffix = name == "paraph" ? 1 : 8
    let made = ManualPage(program).text(template: try source("config/man/\(name).\(suffix).in"))
    #expect(try made == page(name), "make documents")
    let result = try Tool.run("generate", "zsh", name)
    #expect(result.status == 0 && result.output == Completions.zsh.script(for: program))
    for shell in Completions.allCases {
      #expect(
        try source("config/completions/\(name).\(shell.rawValue)") == shell.script(for: program),
        "make documents")
    }
  }

  static func isInstalled(_ program: String) -> Bool {
    ["/usr/bin/", "/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + program) }
  }

  @Test(.enabled(if: isInstalled("groff"), "needs groff"), arguments: names)
  func `the manual page is without warnings, and below 80 columns`(_ name: String) throws {
    let folder = try Folder()
    let result = try Tool.run(
      program: "groff", "-t", "-man", "-Kutf8", "-Tutf8", "-ww", "-rLL=79n", "-P-cbou",
      try folder.file("page", try page(name)))
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    #expect(result.output.contains("EXAMPLES"))
    for line in result.output.split(separator: "\n") {
      #expect(line.unicodeScalars.count < 80, "\(line)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"].filter { isInstalled($0) }, names)
  func `completions have the syntax of their shell`(_ shell: String, _ name: String) throws {
    let folder = try Folder()
    let program = try #require(Self.programs.first { $0.name == name })
    let script = try #require(Completions(rawValue: shell)).script(for: program)
    let result = try Tool.run(program: shell, "-n", try folder.file("script", script))
    #expect(result.status == 0 && result.output.isEmpty && result.error.isEmpty, "\(result)")
  }

  /// A list of the spool, with a name that a shell must not expand.
  private static let listed =
    "failed\\t1\\t-\\t0192f0c1-a\\t-\\nfailed\\t2\\t-\\t019$(exit)\\t-\\n"

  /// What bash offers for the last word of a line.
  private func offered(_ line: [String], _ folder: Folder) throws -> Set<String> {
    let program = try #require(Self.programs.first { $0.name == line[0] })
    let script = try folder.file("completions", Completions.bash.script(for: program))
    let words = line.map { "'\($0)'" }.joined(separator: " ")
    let function = "_" + line[0].replacingOccurrences(of: "-", with: "_")
    let test = try folder.file(
      "test",
      """
      cd '\(folder.path(""))' || exit 1
      paraph() { printf '\(Self.listed)'; }
      . '\(script)'
      COMP_WORDS=(\(words)) COMP_CWORD=\(line.count - 1)
      \(function)
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    let result = try Tool.run(program: "bash", test)
    #expect(result.status == 0 && result.error.isEmpty, "\(result)")
    return Set(result.output.split(separator: "\n").map(String.init))
  }

  @Test(.enabled(if: isInstalled("bash"), "needs bash"))
  func `bash completes commands, options, values and files`() throws {
    let folder = try Folder()
    for name in ["a.png", "b c.png", "d.txt"] { _ = try folder.file(name, "") }
    #expect(
      try offered(["paraph", "s"], folder) == [
        "screenshot", "seal", "show", "sign", "spool", "status",
      ])
    #expect(try offered(["paraph", "help", ""], folder).isEmpty == false)
    #expect(try offered(["paraph", "spool", "r"], folder) == ["retry"])
    #expect(try offered(["paraph", "spool", "list", "f"], folder) == ["failed"])
    #expect(try offered(["paraph", "spool", "list", "new", "d"], folder) == ["delivered"])
    #expect(try offered(["paraph", "spool", "show", "019"], folder) == ["0192f0c1-a"])
    #expect(try offered(["paraph", "render", "--tr"], folder) == ["--trim", "--transparent"])
    #expect(try offered(["paraph", "render", "x", "-m", "duc"], folder) == ["ductus"])
    #expect(try offered(["paraph", "render", "--model", "=", "duc"], folder) == ["ductus"])
    #expect(try offered(["paraph", "render", "--model", "="], folder).contains("ductus"))
    // What was given and cannot be repeated is not offered again.
    #expect(try offered(["paraph", "render", "--trim", "--tr"], folder) == ["--transparent"])
    #expect(try offered(["paraph", "sign", "-o", "a.png", "--out"], folder) == ["--output"])
    #expect(try offered(["paraph", "sign", "-o", ""], folder) == ["a.png", "b c.png"])
    #expect(try offered(["paraph", "render", "d"], folder) == ["d.txt"])
    #expect(try offered(["paraph", "render", "--", "--tr"], folder).isEmpty)
    #expect(try offered(["paraph", "generate", "ba"], folder) == ["bash"])
    #expect(
      try offered(["paraph", "generate", "bash", "paraph-"], folder)
        == ["paraph-handoff", "paraph-seal", "paraph-web"])
    #expect(try offered(["paraphd", "--c"], folder) == ["--config", "--check-config"])
    #expect(try offered(["paraph-handoff", "-c", "d"], folder) == ["d.txt"])
  }

  @Test(.enabled(if: isInstalled("fish"), "needs fish"))
  func `fish completes commands, options and values`() throws {
    let folder = try Folder()
    let script = try folder.file("s.fish", Completions.fish.script(for: ParaphCommand.command))
    func offered(_ line: String) throws -> Set<String> {
      let result = try Tool.run(
        program: "fish", "--no-config", "-c",
        "function paraph; printf '\(Self.listed)'; end; source \(script); complete -C '\(line)'")
      #expect(result.status == 0 && result.error.isEmpty, "\(result)")
      return Set(
        result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
    }
    #expect(try offered("paraph s") == ["screenshot", "seal", "show", "sign", "spool", "status"])
    #expect(try offered("paraph spool r") == ["retry"])
    #expect(try offered("paraph spool list f") == ["failed"])
    #expect(try offered("paraph spool retry 019") == ["0192f0c1-a"])
    #expect(try offered("paraph render --tr") == ["--trim", "--transparent"])
    #expect(try offered("paraph render --model duc") == ["ductus"])
    #expect(try offered("paraph sign --titl") == ["--title"])
    // Files are offered only where a file is meant.
    #expect(try offered("paraph sign --reference ").isEmpty)
    #expect(try offered("paraph status --socket ").isEmpty == false)
  }

  @Test func `options stand after operands, whatever the environment says`() throws {
    let (folder, program) = (try Folder(), try Tool.url().path)
    let result = try Tool.run(
      program: "POSIXLY_CORRECT=1", program, "render", folder.path("none"), "-o",
      folder.path("x.svg"))
    // The option was read: what is missing is the input.
    #expect(result.isMistake(66), "\(result)")
  }

  /// Runs a shell's words where /proc is empty; "$0" is the program.
  private static func withoutProc(_ words: String) throws -> Tool.Result {
    try Tool.run(
      program: "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
      "mount -t tmpfs none /proc && " + words, try Tool.url().path)
  }

  @Test(
    .enabled(if: (try? withoutProc("true").status) == 0, "needs namespaces for users"),
    .enabled(if: Sanitizer.isOff, "a sanitizer reads /proc"))
  func `without its command line the program ends with an error`() throws {
    let result = try Self.withoutProc("exec \"$0\" sign")
    #expect(result.isMistake(71), "\(result)")
  }

  @Test func `mistakes are one line that names the command, the option, and what was meant`() throws
  {
    for (words, line) in [
      (["sing"], "unknown command 'sing' (did you mean 'sign'?); try 'paraph --help'"),
      (
        ["sign", "--titel", "x"],
        "sign: unknown option '--titel' (did you mean '--title'?); try 'paraph sign --help'"
      ),
      (["render", "x"], "render: option '--output' is missing; try 'paraph render --help'"),
      (
        ["trace", "x", "-m", "duktus"],
        "trace: option '--model' does not take 'duktus' (did you mean 'ductus'?): it is one of default, "
          + "ductus, uberSignature, velocityStrip, polyline; try 'paraph trace --help'"
      ),
      (
        ["render", "x", "-o", "x.gif"],
        "render: option '--output': 'x.gif' does not end in .png, .svg or .inkml; try 'paraph render --help'"
      ),
      (
        ["spool", "retry"], "spool retry: ID or '--all' is missing; try 'paraph spool retry --help'"
      ),
      (
        ["sign", "--timeout", "0"],
        "sign: option '--timeout' takes a number above 0 and up to 86400, not '0'; try 'paraph sign --help'"
      ),
    ] {
      let result = try Tool.run(words)
      #expect(result.isMistake(64) && result.error == "paraph: \(line)\n", "\(result.error)")
    }
  }

  @Test(arguments: [
    ("paraph", ["libpng", "FreeType", "HarfBuzz", "Raqm", "libyaml", "jansson", "nettle"]),
    ("paraphd", ["libpng", "FreeType", "HarfBuzz", "Raqm", "libyaml", "jansson", "nettle"]),
    ("paraph-handoff", ["libcurl/", "libmosquitto", "jansson", "nettle"]),
    ("paraph-seal", ["OpenSSL"]),
    ("paraph-web", ["libmicrohttpd", "jansson", "nettle"]),
  ]) func `the verbose version names compiler, C library and libraries`(
    _ program: String, _ libraries: [String]
  ) throws {
    let path = try Tool.url().deletingLastPathComponent().appendingPathComponent(program).path
    let result = try Tool.run(program: path, "--version", "--verbose")
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "\(program) \(DaemonArguments.version)")
    for name in ["Swift compiler", "glibc"] + libraries {
      let line = lines.first { $0.hasPrefix(name) }
      #expect(line?.contains { $0.isNumber } == true, "\(name) in \(result.output)")
    }
    #expect(lines.count == 3 + libraries.count)
  }

  @Test func `the version is that of the daemons, and help is printed for every command`() throws {
    #expect(try Tool.run("--version").output == "paraph \(DaemonArguments.version)\n")
    #expect(try Tool.run([]).output == Tool.run("--help").output)
    for level in Self.levels(ParaphCommand.command).dropFirst() {
      let path = Array(level.path.dropFirst())
      let help = try Tool.run(["help"] + path)
      #expect(help.status == 0 && help.error.isEmpty)
      #expect(help.output == level.command.help(level.path))
    }
  }
}
