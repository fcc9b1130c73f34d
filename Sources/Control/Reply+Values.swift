internal import Ink
internal import JSON

extension SavedSignature {
  /// Its strokes as the interface has them.
  var strokesValue: JSONValue {
    let start = strokes.first?.samples.first?.time ?? 0
    return .array(strokes.map { $0.value(since: start) })
  }
}

extension Stroke {
  /// As the interface has it; `start` is the time that counts as 0.
  fileprivate func value(since start: Int64) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("samples", .array(samples.map { $0.value(since: start) }))
    ]
    if !gaps.isEmpty { members.append(("gaps", .array(gaps.map { .integer($0) }))) }
    return .object(members)
  }
}

extension Sample {
  /// As the interface has it; `start` is the time that counts as 0.
  func value(since start: Int64) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("t", .real(Double(time - start) / 1_000_000_000)),
      ("x", .real(Double(position.x))), ("y", .real(Double(position.y))),
    ]
    if pressure >= 0 { members.append(("pressure", .real(Double(pressure)))) }
    return .object(members)
  }
}

extension PadInfo {
  /// The reply to GetInfo.
  func members(_ state: PadState) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("device", .text(device)), ("version", .text(version)), ("state", .text(state.rawValue)),
    ]
    if let reason { members.append(("reason", .text(reason))) }
    if let panel { members.append(("panel", panel.value)) }
    members.append(("touchscreens", .array(touchscreens.map { $0.value })))
    if let latency { members.append(("latency", latency.value)) }
    return members
  }
}

extension PadInfo.Panel {
  fileprivate var value: JSONValue {
    .object([
      ("name", .text(name)), ("width", .integer(width)), ("height", .integer(height)),
      ("width_mm", .real(Double(widthMillimetres))),
      ("height_mm", .real(Double(heightMillimetres))),
    ])
  }
}

extension PadInfo.Touchscreen {
  fileprivate var value: JSONValue {
    var members: [(String, JSONValue)] = [
      ("node", .text(node)), ("name", .text(name)), ("in_use", .flag(rejection == nil)),
    ]
    if let rejection { members.append(("reason", .text(rejection))) }
    return .object(members)
  }
}

extension PadInfo.Latency {
  fileprivate var value: JSONValue {
    .object([
      ("samples", .integer(samples)), ("p50", .integer(p50 / 1000)),
      ("p99", .integer(p99 / 1000)), ("longest", .integer(longest / 1000)),
    ])
  }
}

extension ControlEvent.InkStep {
  /// As the interface has it; `start` is the time that counts as 0.
  func value(since start: Int64) -> JSONValue {
    switch self {
    case .begins(let sample):
      .object([("step", .text("begins")), ("sample", sample.value(since: start))])
    case .goesOn(let sample):
      .object([("step", .text("goes_on")), ("sample", sample.value(since: start))])
    case .goesOnAfterGap(let sample):
      .object([
        ("step", .text("goes_on")), ("sample", sample.value(since: start)),
        ("after_gap", .flag(true)),
      ])
    case .ends: .object([("step", .text("ends"))])
    case .undone: .object([("step", .text("undone"))])
    case .wiped: .object([("step", .text("wiped"))])
    }
  }
}
