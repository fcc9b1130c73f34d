internal import CLibyaml

/// An event of a YAML document.
enum YAMLEvent {
  case mappingStart, mappingEnd, sequenceStart, sequenceEnd
  case scalar([UInt8])
  /// A reference, which recordings do not have. References are not followed: they let small files expand without end.
  case alias
  case end
}

/// libyaml's parser over bytes in memory. It keeps one event at a time, whatever the document's size or depth.
@safe struct YAMLParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  /// The line of the last event's start, from 1.
  private(set) var line = 0

  init(_ content: [UInt8]) throws(LineError) {
    unsafe bytes = .allocate(capacity: max(content.count, 1))
    _ = unsafe bytes.initialize(from: content)
    unsafe parser = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      unsafe bytes.deallocate()
      throw LineError(0, "out of memory")
    }
    unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, content.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe bytes.deallocate()
  }

  /// The next event except the starts of documents and streams.
  mutating func next() throws(LineError) -> YAMLEvent {
    while true {
      var event = unsafe yaml_event_t()
      guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure }
      defer { unsafe yaml_event_delete(&event) }
      unsafe line = Int(event.start_mark.line) + 1
      switch unsafe event.type {
      case YAML_MAPPING_START_EVENT: return .mappingStart
      case YAML_MAPPING_END_EVENT: return .mappingEnd
      case YAML_SEQUENCE_START_EVENT: return .sequenceStart
      case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
      case YAML_ALIAS_EVENT: return .alias
      case YAML_SCALAR_EVENT:
        let text = unsafe UnsafeBufferPointer(
          start: event.data.scalar.value, count: event.data.scalar.length)
        return unsafe .scalar(Array(text))
      case YAML_STREAM_END_EVENT, YAML_NO_EVENT, YAML_DOCUMENT_END_EVENT: return .end
      default: continue
      }
    }
  }

  private var failure: LineError {
    let problem =
      unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "not YAML"
    let line = unsafe Int(parser.pointee.problem_mark.line) + 1
    return LineError(line, "YAML: \(problem)")
  }
}

extension YAMLParser {
  /// The key of a mapping's next entry; nil at its end.
  mutating func nextKey() throws(LineError) -> [UInt8]? {
    switch try next() {
    case .scalar(let text): return text
    case .mappingEnd, .end: return nil
    default: throw LineError(line, "a key must be plain text")
    }
  }

  /// Enters a mapping. Skips other values, and returns false.
  mutating func enterMapping() throws(LineError) -> Bool {
    let event = try next()
    if case .mappingStart = event { return true }
    try skipRest(of: event)
    return false
  }

  /// Enters a sequence. Skips other values, and returns false.
  mutating func enterSequence() throws(LineError) -> Bool {
    let event = try next()
    if case .sequenceStart = event { return true }
    try skipRest(of: event)
    return false
  }

  /// Enters the next mapping in a sequence. Returns false at the sequence's end.
  mutating func nextItemIsMapping() throws(LineError) -> Bool {
    while true {
      let event = try next()
      switch event {
      case .mappingStart: return true
      case .sequenceEnd, .end: return false
      default: try skipRest(of: event)
      }
    }
  }

  /// The next scalar of a sequence; nil at its end.
  mutating func nextScalar() throws(LineError) -> [UInt8]? {
    while true {
      let event = try next()
      switch event {
      case .scalar(let text): return text
      case .sequenceEnd, .end: return nil
      default: try skipRest(of: event)
      }
    }
  }

  /// A scalar; empty for other values.
  mutating func text() throws(LineError) -> String {
    let event = try next()
    if case .scalar(let text) = event { return String(decoding: text, as: UTF8.self) }
    try skipRest(of: event)
    return ""
  }

  /// A sequence of integers; empty for other values.
  mutating func numbers() throws(LineError) -> [Int64] {
    try enterSequence() ? try numbersToEnd() : []
  }

  /// The integers up to the end of a sequence.
  mutating func numbersToEnd() throws(LineError) -> [Int64] {
    var values: [Int64] = []
    while let scalar = try nextScalar() {
      values.append(try number(scalar))
      // No list of the format is longer.
      guard values.count <= CodeSet.limit else {
        throw LineError(line, "list too long")
      }
    }
    return values
  }

  /// An integer, decimal or hexadecimal.
  func number(_ text: [UInt8]) throws(LineError) -> Int64 {
    var cursor = FieldCursor(text[...])
    let isHexadecimal = cursor.skip("0x")
    guard let value = cursor.integer(radix: isHexadecimal ? 16 : 10), cursor.isAtEnd else {
      throw LineError(line, "not an integer")
    }
    return value
  }

  /// Skips a value.
  mutating func skip() throws(LineError) { try skipRest(of: next()) }

  /// Skips the rest of a value that starts with `event`.
  private mutating func skipRest(of event: YAMLEvent) throws(LineError) {
    var event = event
    var depth = 0
    while true {
      switch event {
      case .mappingStart, .sequenceStart: depth += 1
      case .mappingEnd, .sequenceEnd: depth -= 1
      case .scalar, .alias: break
      case .end: return
      }
      if depth <= 0 { return }
      event = try next()
    }
  }
}

extension [UInt8] {
  /// Whether the bytes are this word.
  func spells(_ word: StaticString) -> Bool {
    word.utf8CodeUnitCount == count && FieldCursor(self[...]).starts(with: word)
  }
}
