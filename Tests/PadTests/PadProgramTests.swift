import CLinux
import Control
import Linux
import ScreenFixtures
import SpoolFixtures
import Testing

@testable import Pad

/// paraphd as it runs on a board, asked by the varlink package, and by the tool as scripts use it.
@Suite struct PadProgramTests {
  /// Runs tests of a program of Python's. Each of them must run: what this machine cannot do is skipped here.
  private func run(_ program: String, _ part: String) throws {
    let tests = Fixtures.root + "/Tests"
    let result = try Programs.run(
      path: tests + "/with-python.sh",
      [
        "varlink==31.0.0", tests + "/PadTests/Programs/" + program, Programs.path("paraphd"), part,
      ], milliseconds: 420_000)
    #expect(result.end == .exit(0), "\(result.text)")
    #expect(result.text.contains("Ran ") && !result.text.contains("Ran 0 tests"))
    #expect(!result.text.contains("skipped"), "\(result.text)")
  }

  @Test(arguments: ["Quiet", "Signed", "Resumed", "Shell"])
  func `clients of the pad get correct replies`(_ part: String) throws {
    try run("varlink_test.py", part)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func `the kernel's credentials decide who may call`() throws {
    try run("varlink_test.py", "Root")
  }

  private static let hasNamespaces =
    (try? Programs.run(
      path: "/usr/bin/unshare",
      ["--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/run"]
    ).end) == .exit(0)

  @Test(.enabled(if: hasNamespaces, "needs unshare and user namespaces"))
  func `the examples of the documentation work`() throws {
    try run("varlink_test.py", "Examples")
  }

  @Test(.enabled(if: SystemCalls.isAvailable, "needs strace"))
  func `a restarted pad resumes after a stop or a crash`() throws {
    try run("restart_test.py", "Restart")
  }

  @Test(
    .enabled(if: SystemCalls.isAvailable && hasLimits, "needs strace and prlimit"),
    .enabled(if: Sanitizer.isOff, "a sanitizer has memory of its own"))
  func `a journal that exhausts the memory is set aside`() throws {
    try run("restart_test.py", "Exhaustion")
  }

  @Test func `state of the packages of version 0.1.0 is taken over`() throws {
    try run("upgrade_test.py", "Upgrade")
  }

  /// A pad in memory whose socket is open.
  func pad(_ folder: TemporaryFolder, _ text: String = "") throws -> ChildProcess {
    try Fixtures.write(
      folder.path + "/conf",
      Array(
        """
        [touch]
        device = \(folder.path)/none
        [display]
        card = memory
        size = 71x53
        [control]
        socket = \(folder.path)/socket
        [spool]
        path = \(folder.path)/spool
        \(text)
        """.utf8))
    let output = try Programs.open(folder.path + "/log")
    let pad = try ChildProcess(
      Programs.path("paraphd"), ["-c", folder.path + "/conf"],
      environment: ["RUNTIME_DIRECTORY=\(folder.path)"], error: output.number)
    #expect(eventually { (try? FileDescriptor(connectingTo: folder.path + "/socket")) != nil })
    return pad
  }

  /// A pad that waits for its panel.
  private func padWithoutPanel(
    _ folder: TemporaryFolder, _ text: String = ""
  ) throws -> ChildProcess {
    mkdir(folder.path + "/conf.d", 0o755)
    try Fixtures.write(
      folder.path + "/conf.d/panel.conf", Array("[display]\ncard = \(folder.path)/none\n".utf8))
    return try pad(folder, text)
  }

  @Test func `without a panel a restored request ends, with its ink, and the journal knows it`()
    throws
  {
    let folder = TemporaryFolder()
    var request = PadRequest(.signature, number: 7)
    request.deadline = MonotonicClock.now
    do {
      var journal = try InkJournal(in: folder.path, RecoveredState())
      try journal.record(request)
      try journal.record(InkJournalTests.strokes)
    }
    var pad = try padWithoutPanel(folder)
    #expect(
      try eventually {
        let status = try Programs.run("paraph", ["status", "--socket", folder.path + "/socket"])
        return status.text.contains("state: invited")
      })
    pad.signal(SIGTERM)
    #expect(try pad.wait(milliseconds: 30_000) == .exit(0))
    let left = try RecoveredState(in: folder.path)
    #expect(left.strokes.isEmpty && left.request == nil)
  }

  @Test func `without a panel a pad that cannot seal says why it is out of service`() throws {
    let folder = TemporaryFolder()
    var pad = try padWithoutPanel(
      folder, "[seal]\nswap = allow\nrecipients = \(folder.path)/key.pem\n")
    #expect(
      try eventually {
        let status = try Programs.run("paraph", ["status", "--socket", folder.path + "/socket"])
        return status.text.contains("out of service") && status.text.contains("key.pem")
      })
    pad.signal(SIGTERM)
    #expect(try pad.wait(milliseconds: 30_000) == .exit(0))
  }

  @Test func `a reload reports changes and problems, and the pad continues`()
    throws
  {
    let folder = TemporaryFolder()
    let (file, log) = (folder.path + "/conf", folder.path + "/log")
    var pad = try pad(folder)
    func reload(_ change: (String) -> String, _ expected: String) throws {
      try Fixtures.write(file, Array(change(try Fixtures.text(file)).utf8))
      pad.signal(SIGHUP)
      #expect(
        try eventually(within: 10_000_000_000) { try Fixtures.text(log).contains(expected) },
        "\(expected)")
    }
    try reload({ $0 }, "config: \(file): no changes")
    try reload(
      { $0 + "\n[pad]\nundo = yes\n[text]\nlanguage = german\n" },
      "config: \(file): changed [pad] undo, [text] language; run systemctl restart paraphd to apply"
    )
    #expect(try Fixtures.text(log).contains("\(file):14: warning: [text] language: unknown"))
    mkdir(file + ".d", 0o755)
    try Fixtures.write(file + ".d/site.conf", Array("[pad]\nundo = maybe\n".utf8))
    try reload({ $0 }, "config: \(file).d/site.conf:2: [pad] undo: must be")
    unlink(file + ".d/site.conf")
    try reload({ $0 + "undo = maybe\n" }, "config: \(file):15: [text] undo: unknown key")
    try reload(
      { _ in "[control]\nowner = nobody-here\n" },
      "config: \(file): cannot be used; the pad keeps its running configuration")
    pad.signal(SIGTERM)
    #expect(try pad.wait(milliseconds: 30_000) == .exit(0))
  }

  @Test func `a prompt that does not fit is refused, and the tool prints the limit`()
    throws
  {
    let folder = TemporaryFolder()
    var pad = try pad(folder)
    func run(_ arguments: [String]) throws -> Programs.Result {
      try Programs.run("paraph", arguments + ["--socket", folder.path + "/socket"])
    }
    // Until there is a panel nothing is known of what fits.
    #expect(
      try eventually { try Fixtures.text(folder.path + "/log").contains("the pad is on") })
    let long = String(repeating: "Received in good order. ", count: 60)
    for (arguments, name) in [
      (["sign", "--prompt", long], "prompt"), (["sign", "--title", long], "title"),
      (["show", long], "text"), (["show", "--title", long, "Box 7"], "title"),
    ] {
      let result = try run(arguments)
      #expect(result.end == .exit(64))
      #expect(
        result.text.hasPrefix("paraph: \(name) is too long for the pad's panel: "),
        "\(result.text)")
    }
    #expect(try run(["show", "--timeout", "0.1", "Box 7 is open"]).end == .exit(0))
    pad.signal(SIGTERM)
    #expect(try pad.wait(milliseconds: 30_000) == .exit(0))
  }

  static let hasLimits = Fixtures.exists("/usr/bin/prlimit")

  @Test(.enabled(if: hasLimits, "needs prlimit"))
  func `a pad without free descriptors accepts clients again when it has some`() throws {
    let folder = TemporaryFolder()
    let (socket, log) = (folder.path + "/socket", folder.path + "/log")
    let pad = try pad(folder)
    func limit(_ files: Int32) throws {
      let result = try Programs.run(
        path: "/usr/bin/prlimit", ["--pid", "\(pad.pid)", "--nofile=\(files):"])
      #expect(result.end == .exit(0), "\(result.text)")
    }
    func checkStatus() throws {
      let result = try Programs.run(
        path: Programs.path("paraph"), ["status", "--socket", socket], milliseconds: 20_000)
      let lines = try Fixtures.text(log)
      #expect(result.end == .exit(0), "\(result.text)\(lines)")
    }
    try checkStatus()
    // A pad that cannot start its input thread ends.
    let tasks = "/proc/\(pad.pid)/task"
    #expect(
      try eventually {
        try Folder.names(of: tasks).contains {
          Folder.line(of: "\(tasks)/\($0)/comm") == "paraph-input"
        }
      })
    let used = try Set(Folder("/proc/\(pad.pid)/fd").names())
    let free = try #require((0..<1024).first { !used.contains("\($0)") })
    try limit(Int32(free))
    do { _ = try FileDescriptor(connectingTo: socket) }
    #expect(try eventually { try Fixtures.text(log).contains("accept failed") })
    try limit(1024)
    try checkStatus()
  }

  /// A user namespace has limits of its own (user_namespaces(7)).
  private static let mayLimitWatches =
    (try? Programs.run(path: "/usr/bin/unshare", ["-Ur", "/bin/true"]).end) == .exit(0)

  @Test(.enabled(if: mayLimitWatches, "needs unshare and user namespaces"))
  func `exhausted inotify watches are reported, with what the pad does instead`() throws {
    let folder = TemporaryFolder()
    let text = "[display]\ncard = memory\nsize = 71x53\n[spool]\npath = \(folder.path)/spool\n"
    try Fixtures.write(folder.path + "/conf", Array(text.utf8))
    let output = try Programs.open(folder.path + "/log")
    let limit = "echo 0 >/proc/sys/user/max_inotify_watches && exec \"$0\" \"$@\""
    let pad = try ChildProcess(
      "/usr/bin/unshare",
      ["-Ur", "/bin/sh", "-c", limit, Programs.path("paraphd"), "-c", folder.path + "/conf"],
      error: output.number)
    let line =
      "kernel: /dev/input: inotify failed (No space left on device); scanning every 2 s"
    #expect(try eventually { try Fixtures.text(folder.path + "/log").contains(line) })
    _ = pad.pid
  }

  @Test func `a pad that is started by hand reports what it lacks, with the remedy`() throws {
    let folder = TemporaryFolder()
    let (file, log) = (folder.path + "/conf", folder.path + "/log")
    let text = """
      [touch]
      device = \(folder.path)/none
      [display]
      card = memory
      size = 71x53
      [spool]
      path = \(folder.path)/spool
      """
    try Fixtures.write(file, Array(text.utf8))
    let output = try Programs.open(log)
    let pad = try ChildProcess(
      Programs.path("paraphd"), ["-c", file], environment: ["RUNTIME_DIRECTORY="],
      error: output.number)
    #expect(try eventually { try Fixtures.text(log).contains("the pad is on") })
    let lines = try Fixtures.text(log).split(separator: "\n")
    for start in [
      "control: no socket: RUNTIME_DIRECTORY", "paraph: no crash journal: RUNTIME_DIRECTORY",
    ] {
      let line = try #require(lines.first { $0.hasPrefix(start) }, "\(lines)")
      #expect(line.contains(": set "))
    }
    pad.signal(SIGTERM)
  }

  @Test func `an invalid theme ends the pad with 78 and one line`() throws {
    let folder = TemporaryFolder()
    let file = folder.path + "/paraphd.conf"
    func run(_ theme: String, _ arguments: [String]) throws -> Programs.Result {
      try ThemeFixtures.write(
        Array(
          "[spool]\npath = \(folder.path)\n[display]\ncard = memory\nsize = 71x53\n[theme]\n\(theme)\n"
            .utf8), to: file)
      return try Programs.run("paraphd", ["-c", file] + arguments)
    }
    try ThemeFixtures.write(Array("GIF89a".utf8), to: folder.path + "/logo.png")
    for arguments in [["--check-config"], []] {
      let bad = try run("logo = \(folder.path)/logo.png", arguments)
      #expect(bad.end == .exit(78))
      let prefix = arguments.isEmpty ? "config: " : ""
      #expect(bad.text == "\(prefix)\(file):7: [theme] logo: \(folder.path)/logo.png: not a PNG\n")
      let large = try run("button-height = 30", arguments)
      #expect(large.end == .exit(78))
      #expect(
        large.text
          == "\(prefix)\(file):7: [theme] button-height: on a glass of 71 × 53 mm less than half is"
          + " left to sign on: make it smaller, or auto\n")
    }
    let pale = try run("words = #999999", ["--check-config"])
    #expect(pale.end == .exit(0))
    #expect(
      pale.text.hasPrefix(
        "\(file):7: warning: [theme] words: #999999 on ground #ffffff has a contrast"))
    let good = try run("colours = dark\nbuttons = left", ["--check-config"])
    #expect(good.end == .exit(0) && good.text.isEmpty)
  }

  @Test func `the installed development configuration runs without hardware`() throws {
    let folder = TemporaryFolder()
    let documents = try install(in: folder)
    let output = try Programs.open(folder.path + "/log")
    var pad = try ChildProcess(
      Programs.path("paraphd"), ["-c", documents + "/examples/development.conf"],
      environment: ["HOME=\(folder.path)"], error: output.number)
    let socket = folder.path + "/.paraph-pad"
    #expect(
      try eventually { try Fixtures.text(folder.path + "/log").contains("first frame shown") })
    func run(_ command: String) throws -> Programs.Result {
      try Programs.run(
        "paraph", [command, "--socket", socket, "-o", "\(folder.path)/\(command).png"])
    }
    for command in ["sign", "screenshot"] {
      let result = try run(command)
      #expect(result.end == .exit(0), "\(result.text)")
      #expect(try Fixtures.read("\(folder.path)/\(command).png").prefix(4) == [137, 80, 78, 71])
    }
    #expect(try Folder(folder.path + "/paraph-spool/new").names().count >= 1)
    pad.signal(SIGTERM)
    #expect(try pad.wait(milliseconds: 30_000) == .exit(0))
  }

  @Test func `the links between installed pages lead somewhere`() throws {
    let folder = TemporaryFolder()
    let documents = try install(in: folder)
    var count = 0
    for page in try Folder(documents).names() where page.hasSuffix(".md") {
      for part in try Fixtures.text(documents + "/" + page).split(separator: "](").dropFirst() {
        let target = String(part.prefix { $0 != ")" && $0 != "#" })
        if target.isEmpty || target.hasPrefix("http") || target.hasPrefix("/etc/paraph/") {
          continue
        }
        #expect(Fixtures.exists(documents + "/" + target), "\(page): \(target)")
        count += 1
      }
    }
    #expect(count > 20)
  }

  /// Installs what is not a program; returns the folder of documents.
  private func install(in folder: TemporaryFolder) throws -> String {
    let result = try Programs.run(
      path: "/usr/bin/make",
      ["-C", Fixtures.root, "catalogues", "install-documents", "PREFIX=\(folder.path)/usr"],
      milliseconds: 60_000)
    #expect(result.end == .exit(0), "\(result.text)")
    return folder.path + "/usr/share/doc/paraph"
  }
}
