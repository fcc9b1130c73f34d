import Testing

@testable import Configuration

@Suite struct HandoffConfigurationTests {
  func handoff(_ text: String) throws(ConfigurationError) -> HandoffConfiguration {
    try HandoffConfiguration(text, file: "h.conf")
  }

  @Test func `sinks are read in the order of the file`() throws {
    let configuration = try handoff(
      """
      [spool]
      path = /srv/spool
      [sink one]
      type = directory
      path = /srv/one
      [handoff]
      rescan = 1min 30s
      retain = 7d
      first-pause = 500ms
      longest-pause = 2h
      [sink two]
      type = directory
      path = /srv/two
      """)
    #expect(configuration.spool == "/srv/spool")
    #expect(configuration.rescan == 90_000_000_000)
    #expect(configuration.retain == 604_800_000_000_000)
    #expect(configuration.firstPause == 500_000_000)
    #expect(configuration.longestPause == 7_200_000_000_000)
    #expect(configuration.sinks.map { $0.name } == ["one", "two"])
    #expect(
      configuration.sinks.map { $0.kind } == [
        .directory(.init(path: "/srv/one")), .directory(.init(path: "/srv/two")),
      ])
  }

  @Test(arguments: [
    ("", "h.conf: no section [sink NAME]: signatures would not be delivered"),
    ("[sink a]", "h.conf:1: [sink a] type: is missing"),
    ("[sink a]\ntype = directory", "h.conf:1: [sink a] path: is missing"),
    (
      "[sink a]\ntype = fax",
      "h.conf:2: [sink a] type: must be one of directory, http, s3, command, mqtt, not \"fax\""
    ),
    (
      "[sink a/b]\ntype = directory\npath = /",
      "h.conf:1: [sink a/b] a sink's name has at most 32 letters, digits and hyphens"
    ),
    ("[sink]\ntype = directory", "h.conf:1: [sink] unknown section"),
    (
      "[sink a]\ntype = directory\npath = /a\n[sink  a]\ntype = directory\npath = /b",
      "h.conf:4: [sink  a] duplicate sink name"
    ),
    ("[sink a]\ntype = directory\npath = /a\nurl = x", "h.conf:4: [sink a] url: unknown key"),
    (
      "[handoff]\nlongest-pause = 1s\n[sink a]\ntype = directory\npath = /a",
      "h.conf:2: [handoff] longest-pause: must not be shorter than first-pause"
    ),
    (
      "[handoff]\nrescan = 5 parsecs\n[sink a]\ntype = directory\npath = /a",
      "h.conf:2: [handoff] rescan: must be a duration such as 5s or 2min, not \"5 parsecs\""
    ),
    (
      "[handoff]\nrescan = 1ms\n[sink a]\ntype = directory\npath = /a",
      "h.conf:2: [handoff] rescan: must be from 1s to 86400s, not 1ms"
    ),
    (
      "[handoff]\nmaximum-item = 129M\n[sink a]\ntype = directory\npath = /a",
      "h.conf:2: [handoff] maximum-item: must be from 65536 to 134217728 bytes, not 129M"
    ),
  ])
  func `invalid settings are refused with file, line, section, key and reason`(
    text: String, expected: String
  ) {
    let error = #expect(throws: ConfigurationError.self) { try handoff(text) }
    #expect(error?.lines.first == expected)
  }

  @Test func `an item may have up to 128 MiB`() throws {
    let sink = "[sink a]\ntype = directory\npath = /a"
    #expect(try handoff("[handoff]\nmaximum-item = 128M\n" + sink).itemLimit == 134_217_728)
    #expect(try handoff(sink).itemLimit == 67_108_864)
  }

  private func timestamp(_ text: String) throws -> TimestampConfiguration? {
    try handoff("[timestamp]\n\(text)\n[sink one]\ntype = directory\npath = /srv/one").timestamp
  }

  @Test func `time stamps are off without an address, and have defaults with one`() throws {
    #expect(try timestamp("") == nil)
    #expect(try timestamp("wait = 2h") == nil)
    let configuration = try #require(
      try timestamp("url = http://tsa.example.org/tsr\nca = /etc/paraph/tsa.pem"))
    #expect(configuration.url == "http://tsa.example.org/tsr")
    #expect(configuration.authority == "/etc/paraph/tsa.pem")
    #expect(configuration.wait == 3_600_000_000_000)
    #expect(configuration.timeLimit == 30_000_000_000)
    #expect(configuration.service == nil && configuration.secretHeaders.isEmpty)
    #expect(try timestamp("url = http://a/\nca = /b\nwait = 0")?.wait == 0)
  }

  @Test(arguments: [
    ("url = http://a/", "h.conf:1: [timestamp] ca: is missing: time stamps are checked against it"),
    ("ca = /b", "h.conf:2: [timestamp] ca: needs url: without it there are no time stamps"),
    (
      "url = ftp://a/\nca = /b",
      "h.conf:2: [timestamp] url: must start with https://, http://, not \"ftp://a/\""
    ),
    (
      "url = http://a/\nca = /b\nsecret-header-X-Key = /c",
      "h.conf:4: [timestamp] secret-header-X-Key: would be sent unencrypted: use https:, or set "
        + "plaintext-secrets = yes"
    ),
  ])
  func `time stamps that could not be fetched or checked are refused`(
    text: String, problem: String
  ) {
    let error = #expect(throws: ConfigurationError.self) { try timestamp(text) }
    #expect(error?.lines.contains(problem) == true, "\(error?.lines ?? [])")
  }

  @Test func `every sink that names the pad knows its name`() throws {
    let configuration = try handoff(
      """
      [handoff]
      device-name = locker-17
      [sink a]
      type = http
      url = https://example.org/
      [sink b]
      type = s3
      endpoint = https://example.org
      bucket = b
      region = r
      access-key = k
      secret-key-file = /k
      [sink c]
      type = mqtt
      host = h
      topic = t
      """)
    let names = configuration.sinks.map { sink in
      switch sink.kind {
      case .directory, .command: nil as Template?
      case .http(let http): http.deviceName
      case .s3(let s3): s3.deviceName
      case .mqtt(let mqtt): mqtt.deviceName
      }
    }
    let name = try #require(configuration.deviceName)
    #expect(names == [name, name, name])
  }
}
