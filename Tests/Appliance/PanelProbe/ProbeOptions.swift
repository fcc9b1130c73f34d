import Display
import Raster

/// `open`, and what the panel is asked for: `card= connector= mode= format= rotation= size= front legacy console wait`.
struct ProbeOptions {
  var panel = PanelOptions()
  /// Take the console below the panel too.
  var takesConsole = false
  /// Where there is no panel yet, wait for one.
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
      case "mode": panel.selector.mode = ModeRequest(value)
      case "format": panel.selector.format = value == "rgb565" ? .rgb565 : .xrgb8888
      case "rotation": panel.rotation = UInt16(value).flatMap { Rotation(rawValue: $0) }
      case "front": panel.isFront = true
      case "console": takesConsole = true
      case "wait": waits = true
      case "legacy": panel.commit = .legacy
      default: return nil
      }
    }
  }
}
