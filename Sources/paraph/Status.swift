import Commands
import JSON
import Linux

struct Status: Runnable {
  static var command: Command {
    Command(
      "status", "Show the running pad's state, devices and latency.",
      options: [Option(flag: "json", "Print JSON, for programs."), PadSocket.option],
      examples: [
        Command.Example(
          "paraph status --json | jq .latency", "Show how fast the ink follows the hand.")
      ],
      exitCodes: [
        Command.ExitCode(0, "The pad is in service."),
        Command.ExitCode(3, "The pad is out of service."),
        Command.ExitCode(69, "The pad does not run."),
      ])
  }

  private let isJSON: Bool
  private let pad: PadSocket

  init(_ arguments: Arguments) throws(UsageError) {
    isJSON = arguments.has("json")
    pad = PadSocket(arguments)
  }

  func run() throws(ToolError) {
    var connection = try PadConnection(pad.path)
    let info: JSONValue
    do throws(CallError) {
      info = try connection.call("GetInfo", [])
    } catch { throw error.toolError }
    var output = StandardOutput()
    if isJSON {
      try output.line { $0 += info.bytes(.lines) }
    } else {
      for line in Status.lines(of: info) { try output.line(line.printable) }
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
    if info["unsaved"]?.flag == true {
      lines.append("unsaved: a finished signature is on the glass until it can be saved")
    }
    if let panel = info["panel"] {
      let pixels = "\(panel["width"]?.integer ?? 0)×\(panel["height"]?.integer ?? 0)"
      let size = [panel["width_mm"], panel["height_mm"]].map {
        Int(min(max(($0?.real ?? 0).rounded(), 0), 1e9))
      }
      lines.append(
        "panel: \(panel["name"]?.text ?? "?"), \(pixels) pixels, \(size[0])×\(size[1]) mm")
    } else {
      lines.append("panel: none")
    }
    switch info["foreground"]?.text {
    case "other": lines.append("in front: another program")
    case "neither": lines.append("in front: neither, the panel is being handed over")
    default: lines.append("in front: the pad")
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
