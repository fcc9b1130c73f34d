import CLinux
import Linux

/// Creates a virtual touchscreen, and moves fingers on it by commands on standard input.
///
/// Or grabs an existing device until a line arrives, or sets an axis's maximum.
@main
struct TouchGenerator {
  static let usage =
    "usage: TouchGenerator uhid|uinput|bare|lists|single|mouse|pressure "
    + "WIDTHxHEIGHT UNITS-PER-MM SLOTS NAME [FUZZ]\n       TouchGenerator hold NODE\n"
    + "       TouchGenerator range NODE AXIS MAXIMUM"

  static func main() {
    let arguments = Process.begin("TouchGenerator")
    if arguments.count == 3, arguments[1] == "hold" { hold(arguments[2]) }
    if arguments.count == 5, arguments[1] == "range", let axis = UInt32(arguments[3]),
      let maximum = Int32(arguments[4])
    {
      describe(arguments[2], axis, upTo: maximum)
    }
    guard arguments.count > 2, let panel = Panel(Array(arguments[2...])) else { fail(usage, 64) }
    do throws(Failure) {
      if arguments[1] == "uhid" {
        try run(UhidDevice(panel), panel)
      } else if let dialect = Dialect(rawValue: arguments[1]) {
        try run(UinputDevice(panel, dialect), panel)
      } else {
        fail(usage, 64)
      }
    } catch {
      fail(error.text, 74)
    }
  }

  private static func hold(_ path: String) -> Never {
    do throws(Failure) { try EventNode(path).hold() } catch { fail(error.text, 74) }
    exit(0)
  }

  private static func describe(_ path: String, _ axis: UInt32, upTo maximum: Int32) -> Never {
    do throws(Failure) { try EventNode(path).describe(axis, upTo: maximum) } catch {
      fail(error.text, 74)
    }
    exit(0)
  }

  private static func run<Device: TouchDevice & ~Copyable>(
    _ device: consuming Device, _ panel: Panel
  ) throws(Failure) {
    var session = Session(panel, device)
    try session.run()
  }

  private static func fail(_ text: String, _ status: Int32) -> Never {
    StandardError.log(.error, text)
    exit(status)
  }
}
