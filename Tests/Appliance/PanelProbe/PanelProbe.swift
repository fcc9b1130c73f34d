import CLinux
import Display
import Linux

/// Opens a panel and draws on it as lines on standard input command.
///
/// It is the display part of the product alone: a screenshot from outside is compared with the drawing.
@main
struct PanelProbe {
  static func main() {
    do throws(Errno) {
      let signals = try SignalDescriptor([SIGUSR1, SIGUSR2])
      run(signals)
    } catch {
      say("error: signals: \(error.text)")
    }
  }

  private static func run(_ signals: borrowing SignalDescriptor) {
    var lines = ProbeLines()
    say("ready")
    while let line = lines.wait() {
      if line == "repair" {
        repair()
      } else if let options = ProbeOptions(line) {
        draw(options, signals, &lines)
      } else {
        say("error: not open: \(line)")
      }
    }
  }

  private static func repair() {
    do throws(SystemError) {
      say("ok \(try Console.repair("/dev/tty1") ?? "no console")")
    } catch {
      say("error: \(error.text)")
    }
  }

  private static func draw(
    _ options: ProbeOptions, _ signals: borrowing SignalDescriptor, _ lines: inout ProbeLines
  ) {
    do throws(DisplayError) {
      let console = options.console.flatMap { openConsole($0) }
      let panel = try open(options)
      var session = ProbeSession(panel, console, signals.number, lines)
      say("ok \(session.description)")
      lines = session.run(signals)
    } catch {
      say("error: \(error.text)")
      return
    }
    say("ok closed")
  }

  private static func open(_ options: ProbeOptions) throws(DisplayError) -> Panel {
    var watch = try HotplugWatch()
    var poll = Poll()
    poll.add(watch.number)
    while true {
      do throws(DisplayError) { return try Panel(options.panel) } catch {
        guard options.waits else { throw error }
      }
      _ = try? poll.wait()
      _ = watch.readChanges()
    }
  }

  /// Opens a terminal and waits until it is shown: only then can the card be had from another program.
  private static func openConsole(_ path: String) -> Console? {
    do throws(SystemError) {
      let console = try Console.open(path, releaseSignal: SIGUSR1, acquireSignal: SIGUSR2)
      switch console {
      case .some(let console):
        if let number = console.number { try console.activate(number) }
        while console.shown != console.number {
          var pause = Poll()
          _ = try? pause.wait(milliseconds: 5)
        }
      case .none: break
      }
      return console
    } catch {
      StandardError.log(.error, error.text)
      return nil
    }
  }

  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe write(1, bytes, bytes.count)
  }
}
