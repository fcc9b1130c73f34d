import Commands
import Testing

@testable import Configuration

extension GetoptTests {
  @Suite struct DaemonArgumentsTests {
    let program = DaemonArguments.daemon(
      "padd", "Sign.", configuration: "/etc/pad.conf",
      flags: [Option(flag: "restore-console", "Give the console back.")])

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

    @Test func `flags are passed on`() {
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
      for word in ["--config", "--check-config", "--restore-console", "--version", "/etc/pad.conf"]
      {
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
      #expect(!line.contains("\n") && line.hasPrefix("padd: ") && line.contains("--help"))
    }

    @Test func `a refusal names the option`() {
      for (word, reason) in [
        ("--x", "unknown option '--x'"), ("-x", "unknown option '-x'"),
        ("--confg=y", "unknown option '--confg' (did you mean '--config'?)"),
        ("--config", "option '--config' needs a value"),
        ("operand", "unexpected argument 'operand'"),
      ] {
        #expect(parse(word) == .refuse("padd: \(reason); try 'padd --help'"))
      }
    }
  }
}
