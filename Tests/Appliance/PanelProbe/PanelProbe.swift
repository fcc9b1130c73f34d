import CLinux
import Display
import Linux

/// Lights a panel in this kernel and draws on it, as lines on standard input say: the display part of
/// the product by itself, so that a picture from outside can be compared with what was drawn.
@main
struct PanelProbe {
  static func main() {
    var lines = ProbeLines()
    say("ready")
    while let line = lines.wait() {
      guard let options = ProbeOptions(line) else {
        say("error: not open: \(line)")
        continue
      }
      do throws(DisplayError) {
        let panel = try Panel(options.panel)
        var session = ProbeSession(panel, lines)
        say("ok \(session.description)")
        lines = session.run()
        say("ok closed")
      } catch {
        say("error: \(error.text)")
      }
    }
  }

  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe write(1, bytes, bytes.count)
  }
}
