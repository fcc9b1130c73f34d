@testable import Configuration
import Testing

/// getopt_long(3) has one state: one test after the other.
@Suite(.serialized) struct DaemonArgumentsTests {
  let program = DaemonArguments.Program(
    name: "padd", summary: "Signs.", defaultConfiguration: "/etc/pad.conf",
    flags: [("restore-console", "gives the console back")])

  func parse(_ words: String...) -> DaemonArguments.Outcome {
    DaemonArguments.parse(["padd"] + words, for: program)
  }

  @Test func `without options the default configuration is run`() {
    #expect(parse() == .run(DaemonArguments(configuration: "/etc/pad.conf")))
  }

  @Test(arguments: [["-c", "/x"], ["-c/x"], ["--config", "/x"], ["--config=/x"]])
  func `the configuration can be named`(_ words: [String]) {
    #expect(
      DaemonArguments.parse(["padd"] + words, for: program)
        == .run(DaemonArguments(configuration: "/x")))
  }

  @Test func `flags are told`() {
    var expected = DaemonArguments(configuration: "/etc/pad.conf")
    expected.checksOnly = true
    expected.flags = ["restore-console"]
    #expect(parse("--check-config", "--restore-console") == .run(expected))
  }

  @Test func `help names every option, and version the version`() {
    guard case .print(let help) = parse("--help") else {
      Issue.record("no help")
      return
    }
    for word in ["--config", "--check-config", "--restore-console", "--version", "/etc/pad.conf"] {
      #expect(help.contains(word))
    }
    #expect(parse("-h") == .print(help))
    #expect(parse("--version") == .print("padd \(DaemonArguments.version)\n"))
  }

  @Test(arguments: [["--no-such"], ["-x"], ["-c"], ["operand"], ["--config"]])
  func `wrong use is refused in one line`(_ words: [String]) {
    guard case .refuse(let line) = DaemonArguments.parse(["padd"] + words, for: program) else {
      Issue.record("taken: \(words)")
      return
    }
    #expect(!line.contains("\n") && line.contains("--help"))
  }
}
