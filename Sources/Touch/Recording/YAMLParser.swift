internal import CLibyaml

/// One step of a YAML document.
enum YAMLEvent {
  case mappingStart, mappingEnd, sequenceStart, sequenceEnd
  case scalar([UInt8])
  /// A reference to another place. Recordings have none, and following them is how small files become
  /// endless ones.
  case alias
  case end
}

/// libyaml's parser over bytes in memory, one event at a time: depth and size of the document cost
/// nothing here.
@safe struct YAMLParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  /// The line, from 1, where the last event began.
  private(set) var line = 0

  init(_ content: [UInt8]) throws(LineError) {
    unsafe bytes = .allocate(capacity: max(content.count, 1))
    _ = unsafe bytes.initialize(from: content)
    unsafe parser = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      unsafe bytes.deallocate()
      throw LineError(0, "not enough memory to read YAML")
    }
    unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, content.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe bytes.deallocate()
  }

  /// The next event; document and stream starts are passed over.
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
