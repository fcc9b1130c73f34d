import Glibc

/// paraphd itself, on a panel in memory, with a recording in the place of a hand.
final class PadProcess {
  private let folder: String
  private let id: pid_t
  /// CLOCK_MONOTONIC just before the program was started.
  let started: Int64

  /// Nil, if it cannot be started. `glass`, `display`: lines of the section for the panel.
  init?(
    _ program: String, glass: String = "pixels = 1280x800\nsize = 217x136", display: String = "",
    recording: String
  ) {
    var template = Array("/tmp/paraph-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    Self.write(recording, to: folder + "/hand.evemu")
    Self.write(
      """
      [touch]
      recording = \(folder)/hand.evemu
      [display]
      card = memory
      \(glass)
      \(display)
      [spool]
      path = \(folder)/spool

      """, to: folder + "/paraphd.conf")
    mkdir(folder + "/spool", 0o700)
    started = Self.now
    guard let id = Self.spawn([program, "-c", folder + "/paraphd.conf"], log: folder + "/log")
    else { return nil }
    self.id = id
  }

  deinit {
    _ = Self.run(["rm", "-r", folder])
  }

  private static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }

  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// With the scheduling of the service, where we may ask for it.
  private static func spawn(_ words: [String], log: String?) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    if let log {
      posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    if log != nil, isRoundRobin {
      var priority = sched_param(sched_priority: 10)
      posix_spawnattr_setschedpolicy(&attributes, SCHED_RR)
      posix_spawnattr_setschedparam(&attributes, &priority)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSCHEDULER))
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var id: pid_t = 0
    let result = posix_spawnp(&id, words[0], &actions, &attributes, &arguments, environ)
    return result == 0 ? id : nil
  }

  /// Whether we may ask for it.
  static let isRoundRobin: Bool = {
    var priority = sched_param(sched_priority: 10)
    guard sched_setscheduler(0, SCHED_RR, &priority) == 0 else { return false }
    priority.sched_priority = 0
    return sched_setscheduler(0, SCHED_OTHER, &priority) == 0
  }()

  private static func run(_ words: [String]) -> Int32 {
    guard let id = spawn(words, log: nil) else { return -1 }
    var status: Int32 = 0
    waitpid(id, &status, 0)
    return status
  }

  /// How often its threads have been woken, all together.
  var wakeUps: Int {
    guard let folder = opendir("/proc/\(id)/task") else { return 0 }
    defer { closedir(folder) }
    var sum = 0
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      sum +=
        Self.number(
          after: "\nvoluntary_ctxt_switches:", in: Self.read("/proc/\(id)/task/\(name)/status"))
        ?? 0
    }
    return sum
  }

  /// Resident bytes.
  var resident: Int {
    1024 * (Self.number(after: "\nRss:", in: Self.read("/proc/\(id)/smaps_rollup")) ?? 0)
  }

  /// Resident bytes without pages of files: programs, libraries and fonts, which the kernel can drop and read again.
  var residentAlone: Int {
    1024 * (Self.number(after: "\nRssAnon:", in: Self.read("/proc/\(id)/status")) ?? 0)
  }

  /// Resident bytes at most, since it was started.
  var residentAtMost: Int {
    1024 * (Self.number(after: "\nVmHWM:", in: Self.read("/proc/\(id)/status")) ?? 0)
  }

  /// Until it has logged that.
  func wait(for line: String) {
    while !log.contains(line) { usleep(1000) }
  }

  /// What it has logged.
  var log: String { Self.read(folder + "/log") }

  /// Ends it; what it has logged.
  func stop() -> String {
    kill(id, SIGTERM)
    var status: Int32 = 0
    waitpid(id, &status, 0)
    return log
  }

  /// The first number after a word.
  static func number(after word: String, in text: String) -> Int? {
    var rest = Substring(text)
    while !rest.isEmpty, !rest.hasPrefix(word) { rest = rest.dropFirst() }
    let digits = rest.dropFirst(word.count).drop { !$0.isNumber }.prefix { $0.isNumber }
    return Int(digits)
  }
}
