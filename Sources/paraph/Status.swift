internal import ArgumentParser
import JSON

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says what the running pad does, with which devices, and how fast.",
    discussion: "Ends with 0, with 3 if the pad is out of service, with 69 if there is no pad.")

  @Flag(help: "As JSON, for programs.")
  var json = false

  @OptionGroup var pad: PadSocket

  func run() throws {
    var connection = try PadConnection(pad.path)
    let info: JSONValue
    do throws(PadRefusal) {
      info = try connection.call("GetInfo", [])
    } catch { throw error.toolError }
    var output = StandardOutput()
    if json {
      try output.line { $0 += info.bytes(.lines) }
    } else {
      for line in Status.lines(of: info) { try output.line(line) }
    }
    try output.flush()
    if info["state"]?.text == "out_of_service" {
      throw ToolError(
        .outOfService, "the pad is out of service: \(info["reason"]?.text ?? "no reason given")")
    }
  }

  private static func lines(of info: JSONValue) -> [String] {
    var lines = [
      "state: \(info["state"]?.text ?? "unknown")",
      "device: \(info["device"]?.text ?? "unknown"), paraphd \(info["version"]?.text ?? "")",
    ]
    if let panel = info["panel"] {
      let pixels = "\(panel["width"]?.integer ?? 0)×\(panel["height"]?.integer ?? 0)"
      let size = [panel["width_mm"], panel["height_mm"]].map { Int(($0?.real ?? 0).rounded()) }
      lines.append(
        "panel: \(panel["name"]?.text ?? "?"), \(pixels) pixels, \(size[0])×\(size[1]) mm")
    } else {
      lines.append("panel: none")
    }
    for device in info["touchscreens"]?.elements ?? [] {
      let name = "\(device["node"]?.text ?? "?") (\(device["name"]?.text ?? "?"))"
      let reason = device["reason"]?.text.map { "not used: it \($0)" }
      lines.append("touchscreen: \(name): \(reason ?? "in use")")
    }
    if let latency = info["latency"] {
      func milliseconds(_ name: String) -> String {
        let tenths = (latency[name]?.integer ?? 0) / 100
        return "\(tenths / 10).\(tenths % 10) ms"
      }
      lines.append(
        "latency: p50 \(milliseconds("p50")), p99 \(milliseconds("p99")), "
          + "longest \(milliseconds("longest")), \(latency["samples"]?.integer ?? 0) samples")
    }
    return lines
  }
}
