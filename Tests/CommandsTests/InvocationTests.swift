import SyntheticHand
import Testing

@testable import Commands

extension GetoptTests {
  @Suite struct InvocationTests {
    static let program = Command(
      "tool", "Try everything.",
      subcommands: [
        Command(
          "sign", "Ask for a signature.",
          options: [
            Option("title", value: "TEXT", "One line above."),
            Option("timeout", value: "SECONDS", "How long it may take."),
            Option("colour", value: "NAME", values: .oneOf(["red", "green"]), "The ink."),
            Option(
              "output", short: "o", value: "FILE", values: .file(["png"]), isRepeatable: true,
              "A file."),
            Option(flag: "verbose", short: "v", "Say more."),
            Option(flag: "trim", "Trim."), Option(flag: "no-trim", "Do not trim."),
          ], operands: [Operand("WORD", count: .any, "Words.")]),
        Command(
          "draw", "Draw a file.",
          options: [Option("output", short: "o", value: "FILE", isRequired: true, "The picture.")],
          operands: [Operand("FILE", "What to draw.")]),
        Command(
          "spool", "Manage the spool.",
          subcommands: [
            Command(
              "list", "List.",
              operands: [Operand("PLACE", count: .any, values: .oneOf(["new", "old"]), "One.")]),
            Command("show", "Show.", operands: [Operand("ID", count: .several, "Ids.")]),
          ]),
      ], version: "1.2")

    func run(_ words: String...) throws -> Arguments {
      guard case .run(let arguments) = try Self.program.parse(words) else {
        throw UsageError([], "nothing is run")
      }
      return arguments
    }

    func refusal(_ words: [String]) -> String? {
      do throws(UsageError) {
        _ = try Self.program.parse(words)
        return nil
      } catch { return error.line }
    }

    func printed(_ words: String...) throws -> String? {
      guard case .print(let text) = try Self.program.parse(words) else { return nil }
      return text
    }

    @Test(arguments: [
      ["--title", "x"], ["--title=x"], ["--tit", "x"], ["--titl=x"], ["--title=y", "--title", "x"],
    ])
    func `a long option may be abbreviated, and its value may follow an equals sign`(
      _ words: [String]
    )
      throws
    {
      guard case .run(let arguments) = try Self.program.parse(["sign"] + words) else {
        Issue.record("nothing is run")
        return
      }
      #expect(arguments.command == ["tool", "sign"] && arguments.operands.isEmpty)
      #expect(arguments.value("title") == "x")
    }

    @Test func `short options may be joined with each other and their values`() throws {
      let arguments = try run("sign", "-vo", "a.png", "-ob.png", "--output=c.png")
      #expect(arguments.has("verbose"))
      #expect(arguments.values("output") == ["a.png", "b.png", "c.png"])
      #expect(!arguments.has("title") && arguments.value("title") == nil)
    }

    @Test func `options may stand after operands, and two dashes end them`() throws {
      let mixed = try run("sign", "a", "-v", "b", "--", "-v", "--title")
      #expect(mixed.has("verbose") && mixed.operands == ["a", "b", "-v", "--title"])
      #expect(try run("sign", "-").operands == ["-"])
      #expect(try run("sign", "--title", "-1").value("title") == "-1")
      #expect(try run("sign", "--title", "").value("title") == "")
      #expect(try run("sign", "").operands == [""])
    }

    @Test func `of two opposite flags the last one counts`() throws {
      for (words, trims) in [
        ([], true), (["--no-trim"], false), (["--no-trim", "--trim"], true),
        (["--trim", "--no-trim"], false),
      ] {
        guard case .run(let arguments) = try Self.program.parse(["sign"] + words) else {
          Issue.record("nothing is run")
          continue
        }
        #expect(arguments.has("trim", butNot: "no-trim", default: true) == trims)
      }
    }

    @Test func `subcommands are found at every depth`() throws {
      #expect(try run("spool", "list", "new").command == ["tool", "spool", "list"])
      #expect(try run("spool", "show", "a", "b").operands == ["a", "b"])
    }

    @Test(arguments: [
      (["sing"], "unknown command 'sing' (did you mean 'sign'?); try 'tool --help'"),
      (["quite-else"], "unknown command 'quite-else'; try 'tool --help'"),
      (
        ["spool", "lsit"],
        "spool: unknown command 'lsit' (did you mean 'list'?); try 'tool spool --help'"
      ),
      (["help", "sing"], "unknown command 'sing' (did you mean 'sign'?); try 'tool --help'"),
      (["help", "draw", "x"], "draw: unexpected argument 'x'; try 'tool draw --help'"),
      (["--verison"], "unknown option '--verison' (did you mean '--version'?); try 'tool --help'"),
      (
        ["sign", "--titel"],
        "sign: unknown option '--titel' (did you mean '--title'?); try 'tool sign --help'"
      ),
      (
        ["sign", "--color=red"],
        "sign: unknown option '--color' (did you mean '--colour'?); try 'tool sign --help'"
      ),
      (["sign", "--x"], "sign: unknown option '--x'; try 'tool sign --help'"),
      (["sign", "-vx"], "sign: unknown option '-x'; try 'tool sign --help'"),
      (["sign", "-é"], "sign: unknown option '-\u{FFFD}'; try 'tool sign --help'"),
      (
        ["sign", "a", "--ti=1"],
        "sign: option '--ti' is ambiguous: '--title' or '--timeout'; try 'tool sign --help'"
      ),
      (["sign", "--title"], "sign: option '--title' needs a value; try 'tool sign --help'"),
      (["sign", "-o"], "sign: option '-o' needs a value; try 'tool sign --help'"),
      (["sign", "--verbose=1"], "sign: option '--verbose' takes no value; try 'tool sign --help'"),
      (
        ["sign", "--colour", "gren"],
        "sign: option '--colour' does not take 'gren' (did you mean 'green'?): it is one of red, green; "
          + "try 'tool sign --help'"
      ),
      (["draw", "x"], "draw: option '--output' is missing; try 'tool draw --help'"),
      (["draw", "-o", "x"], "draw: FILE is missing; try 'tool draw --help'"),
      (["draw", "-o", "x", "y", "z"], "draw: unexpected argument 'z'; try 'tool draw --help'"),
      (["spool", "show"], "spool show: ID is missing; try 'tool spool show --help'"),
      (
        ["spool", "list", "nwe"],
        "spool list: PLACE does not take 'nwe' (did you mean 'new'?): it is one of new, old; "
          + "try 'tool spool list --help'"
      ),
    ])
    func `a mistake names the command and the option, and what was probably meant`(
      _ words: [String], _ line: String
    ) {
      #expect(refusal(words) == line)
    }

    @Test func `help is printed by every command, and the version by the program`() throws {
      for word in ["help", "--help", "-h"] {
        #expect(try printed("help", word) == Self.program.help(["tool"]))
      }
      #expect(try printed() == Self.program.help(["tool"]))
      #expect(try printed("spool") == printed("spool", "--help"))
      #expect(try printed("help") == printed("--help"))
      #expect(try printed("help", "spool", "list") == printed("spool", "list", "-h"))
      // Where the rest is incomplete too.
      #expect(
        try printed("draw", "--help")?.hasPrefix(
          "usage: tool draw [OPTION]... --output FILE FILE\n")
          == true)
      #expect(try printed("--version") == "tool 1.2\n")
      #expect(refusal(["sign", "--version"]) != nil)
    }

    @Test func `verbose adds the libraries to the version, and needs it`() throws {
      for words in [["--version", "--verbose"], ["--verbose", "--version"]] {
        guard case .print(let text) = try Self.program.parse(words, versions: { ["libpng 1.6"] })
        else {
          Issue.record("\(words) prints nothing")
          continue
        }
        #expect(text == "tool 1.2\nlibpng 1.6\n")
      }
      guard case .print("tool 1.2\n") = try Self.program.parse(["--version"], versions: { ["x"] })
      else {
        Issue.record("the version alone has other lines")
        return
      }
      #expect(
        refusal(["--verbose"]) == "option '--verbose' needs '--version'; try 'tool --help'")
      #expect(
        refusal(["--verbose", "sign"])
          == "option '--verbose' needs '--version'; try 'tool --help'")
    }

    @Test func `numbers are read whole, and those out of range are refused`() throws {
      func number(_ text: String) throws -> Double? {
        try run("sign", "--timeout", text).number("timeout", "a number from 0 to 9") {
          $0 >= 0 && $0 <= 9
        }
      }
      #expect(try number("1.5") == 1.5)
      #expect(try number("1e-300") == 1e-300)
      #expect(try number(".5") == 0.5)
      for text in ["", " 1", "1 ", "x", "1x", "10", "-1", "nan", "inf", "-", "+", "e"] {
        #expect(
          throws: UsageError(
            ["tool", "sign"], "option '--timeout' takes a number from 0 to 9, not '\(text)'")
        ) { try number(text) }
      }
      #expect(try run("sign").number("timeout", "a number") { _ in true } == nil)
    }

    @Test func `no command line traps, and every one runs, prints or is refused in one line`() {
      let words = [
        "sign", "draw", "spool", "list", "show", "help", "--", "-", "", "-o", "-oa", "--output",
        "--output=", "--=", "--=x", "---", "-vvv", "--title", "--ti", "--version", "-h",
        "--no-trim",
        "-:",
        "-;", "-?", "-W", "-Wx", "é", "-é", "--é=ü", "\u{1F600}", "new", "\n", "-\u{0}",
        "--\u{FFFD}",
        String(repeating: "x", count: 5000), String(repeating: "-", count: 300),
      ]
      var random = SeededRandom(seed: 17)
      for _ in 0..<1500 {
        let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in
          words.randomElement(using: &random) ?? ""
        }
        if let refusal = refusal(line) {
          #expect(refusal.hasSuffix("--help'"), "\(line)")
        }
      }
    }

    @Test func `the nearest word has few errors, and swapped letters are one`() {
      #expect(Suggestion.distance(Array("sing".utf8), Array("sign".utf8)) == 1)
      #expect(Suggestion.distance([], Array("abc".utf8)) == 3)
      #expect(Suggestion.distance(Array("kitten".utf8), Array("sitting".utf8)) == 3)
      #expect(Suggestion.nearest(to: "contcats", in: ["compare", "contacts"]) == "contacts")
      #expect(Suggestion.nearest(to: "x", in: ["show", "sign"]) == nil)
      #expect(Suggestion.nearest(to: "", in: ["show"]) == nil)
    }
  }
}
