import Display
import Raster

/// The options of the command `open`: `card= connector= mode= format= rotation= front legacy console= wait`.
struct ProbeOptions {
  var panel = PanelOptions()
  /// The virtual terminal that is opened too, and shown before the panel is opened.
  var console: String?
  /// Whether to wait for a panel if there is none.
  var waits = false

  init?(_ line: String) {
    let words = line.split(separator: " ")
    guard words.first == "open" else { return nil }
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1)
      let value = parts.count > 1 ? String(parts[1]) : ""
      switch parts[0] {
      case "card": panel.selector.card = value
      case "connector": panel.selector.connector = value
      case "mode":
        let size = value.split(separator: "x").compactMap { Int($0) }
        guard size.count == 2 else { return nil }
        panel.selector.mode = ModeRequest(width: size[0], height: size[1])
      case "format": panel.selector.format = value == "rgb565" ? .rgb565 : .xrgb8888
      case "rotation": panel.rotation = UInt16(value).flatMap { Rotation(rawValue: $0) }
      case "front": panel.isFront = true
      case "console": console = value.isEmpty ? "/dev/tty1" : value
      case "wait": waits = true
      case "legacy": panel.commit = .legacy
      default: return nil
      }
    }
  }
}
