import CLinux
import Linux
import Seal
import SealClient
import SpoolFixtures
import Testing

@testable import Configuration
@testable import Pad

@Suite struct SealExchangeTests {
  let folder = TemporaryFolder()
  private let second: Int64 = 1_000_000_000

  /// A program that hangs when it is prepared, and its processes so far.
  private func hanging() throws -> (proxy: SealProxy, processes: () throws -> [Int32]) {
    let proxy = try SealProxy(in: folder, insteadOf: .prepare)
    try proxy.arm("exec sleep 60")
    return (proxy, { try proxy.requests().filter { $0.kind == "armed" }.map { $0.pid } })
  }

  private func runs(_ pid: Int32) -> Bool { Fixtures.exists("/proc/\(pid)") }

  private func prepare(_ exchange: inout SealExchange) throws {
    let recipient = try SealKeys(.ellipticCurve, "notary", in: folder)
    exchange.prepare(.prepare([try Fixtures.read(recipient.certificate)], by: nil))
  }

  @Test func `a process that nobody asks ends after five minutes, also if it hangs`() throws {
    let (proxy, processes) = try hanging()
    var exchange = SealExchange(with: SealProgram(proxy.path))
    let none = exchange.deadline
    #expect(none == nil)
    let earliest = MonotonicClock.now
    try prepare(&exchange)
    let latest = MonotonicClock.now
    #expect(eventually { (try? processes().count) == 1 })
    let own = try #require(try processes().first)
    let due = exchange.deadline
    let deadline = try #require(due)
    #expect(deadline >= earliest + 300 * second && deadline <= latest + 300 * second)
    exchange.expire(at: deadline - 1)
    #expect(runs(own))
    exchange.expire(at: deadline)
    let killTime = exchange.deadline
    #expect(killTime == deadline + second && runs(own))
    exchange.expire(at: deadline + second)
    let end = exchange.deadline
    #expect(end == nil && !runs(own))
  }

  @Test func `of processes that hang at their end, one is left at most`() throws {
    let (proxy, processes) = try hanging()
    var exchange = SealExchange(with: SealProgram(proxy.path))
    for count in 1...2 {
      try prepare(&exchange)
      #expect(eventually { (try? processes().count) == count })
      exchange.release()
    }
    let started = try processes()
    #expect(!runs(started[0]) && runs(started[1]))
    exchange.end()
  }

  /// What names the key of a token.
  enum KeyPlace: CaseIterable, Sendable {
    case pad, service
    /// The service, while the pad's configuration names a file, which has no effect.
    case serviceBesideFile
  }

  /// A pad whose key is in a token that is not there.
  private func token(
    _ place: KeyPlace
  ) throws -> (proxy: SealProxy, configuration: PadConfiguration, keys: SealKeys) {
    let proxy = try SealProxy(in: folder, insteadOf: .sign)
    let pad = try SealKeys(.ellipticCurve, "pad", in: folder)
    let key = "pkcs11:object=none"
    let service = folder.path + "/service"
    try Fixtures.write(
      service, Array("#!/bin/sh\nexec \(proxy.path) --sign-key=\(key)\n".utf8))
    chmod(service, 0o755)
    let line =
      switch place {
      case .pad: "key = \(key)"
      case .service: ""
      case .serviceBesideFile: "key = \(pad.key)"
      }
    let text = """
      [seal]
      service = \(place == .pad ? proxy.path : service)
      [sign]
      certificate = \(pad.certificate)
      \(line)
      """
    return (proxy, try PadConfiguration(text, file: "", models: Appliance.modelNames), pad)
  }

  /// Whether a failure says that the token is not tried again.
  private func isLast(_ problem: String?) -> Bool {
    problem?.contains("; the token is not tried again before a reload: systemctl kill ") == true
  }

  @Test(arguments: KeyPlace.allCases)
  func `a token whose key fails is tried twice, also over restarts, and no stroke tries it`(
    _ place: KeyPlace
  ) throws {
    let (proxy, configuration, _) = try token(place)
    var signing = Signing(configuration, runtimeDirectory: folder.path)
    let tries = { try proxy.requests().count { $0.kind == "3" } }
    for minute in 0..<5 {
      let problem = signing.check(at: Int64(minute) * 60 * second, time: nil) { _ in }
      #expect(isLast(problem) == (minute > 0))
    }
    #expect(try tries() == 2 && signing.prepared == nil)
    signing = Signing(configuration, runtimeDirectory: folder.path)
    for minute in 0..<2 {
      let problem = signing.check(at: Int64(minute) * 60 * second, time: nil) { _ in }
      #expect(isLast(problem))
    }
    #expect(try tries() == 2 && signing.prepared == nil)
    signing.reload { _, _ in }
    #expect(try tries() == 3)
    // That was the first of two again.
    signing = Signing(configuration, runtimeDirectory: folder.path)
    _ = signing.check(at: 0, time: nil) { _ in }
    #expect(try tries() == 4)
  }

  @Test func `the failures of a token are forgotten by a start with a key in a file`() throws {
    let (_, configuration, keys) = try token(.service)
    var signing = Signing(configuration, runtimeDirectory: folder.path)
    for minute in 0..<2 { _ = signing.check(at: Int64(minute) * 60 * second, time: nil) { _ in } }
    #expect(TokenFailures(in: folder.path).count == 2)
    // The service names the key, too: the pad's configuration is the same.
    let service = folder.path + "/service"
    try Fixtures.write(
      service,
      Array("#!/bin/sh\nexec \(Programs.path("paraph-seal")) --sign-key=\(keys.key)\n".utf8))
    signing = Signing(configuration, runtimeDirectory: folder.path)
    #expect(signing.check(at: 0, time: nil) { _ in } == nil)
    #expect(TokenFailures(in: folder.path).count == 0)
  }

  /// An operator checks a configuration as often as he likes, and a probe runs the doctor.
  @Test(arguments: KeyPlace.allCases)
  func `the check of a configuration does not use a key in a token`(_ place: KeyPlace) throws {
    let (proxy, configuration, keys) = try token(place)
    let problems = PadExamination(configuration, triesSealing: true).problems.lines
    let line = "\(keys.certificate): the key is in a token and was not tried"
    #expect(problems.count { $0.contains(line) } == 1, "\(problems)")
    // Neither "3", which signs, nor "7", which loads the key.
    #expect(try proxy.requests().map(\.kind) == ["start", "8", "4"])
  }

  @Test func `only a token's own failures count against its tries`() throws {
    let proxy = try SealProxy(in: folder, insteadOf: .sign)
    let pad = try SealKeys(.ellipticCurve, "pad", in: folder)
    let text = """
      [seal]
      service = \(proxy.path)
      [sign]
      certificate = \(pad.certificate)
      """
    var signing = Signing(try PadConfiguration(text, file: "", models: Appliance.modelNames))
    for _ in 0..<3 {
      signing.failed()
      signing.count(.program("no reply"))
    }
    #expect(signing.check(at: 0, time: nil) { _ in } != nil)
    signing.count(.token(pad.certificate, "wrong PIN"))
    let first = try proxy.requests().count
    _ = signing.check(at: 60 * second, time: nil) { _ in }
    #expect(try proxy.requests().count > first)
    signing.count(.token(pad.certificate, "wrong PIN"))
    let last = try proxy.requests().count
    _ = signing.check(at: 180 * second, time: nil) { _ in }
    #expect(try proxy.requests().count == last)
  }
}
