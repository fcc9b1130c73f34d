import Commands
import CLinux
import Configuration
import Linux
import Pad
import Touch

struct Record: Runnable {
  static var command: Command {
    Command(
      "record", "Record a touchscreen's events to a file.",
      discussion: [
        "Writes the format of libinput record, which libinput's tools and all commands of paraph read. Ends with "
          + "Ctrl-C, or when the device is unplugged. The recording of a hand contains the signature, so that only "
          + "its owner can read the file.",
        "The device must not be in use: stop the pad first, with 'systemctl stop paraphd'.",
      ],
      options: [
        Option(
          "output", short: "o", value: "FILE", values: .file([]), isRequired: true,
          "Write to FILE, which must not exist."), PadSettings.option,
      ],
      operands: [PadSettings.device],
      examples: [
        Command.Example("paraph record -o hand.yaml", "Record the pad's touchscreen until Ctrl-C.")
      ],
      exitCodes: [
        Command.ExitCode(0, "The recording is complete."),
        Command.ExitCode(69, "There is no such touchscreen."),
        Command.ExitCode(73, "The file exists or cannot be created."),
        Command.ExitCode(75, "The device is in use."),
      ])
  }

  private let device: String?
  private let output: String
  private let pad: PadSettings

  init(_ arguments: Arguments) throws(UsageError) {
    device = arguments.operands.first
    output = try arguments.required("output")
    pad = PadSettings(arguments)
  }

  func run() throws(ToolError) {
    // A named device needs no configuration.
    let path = if let device { device } else { try LiveDevice.path(by: try pad.read()) }
    var live = try LiveDevice(path)
    let file = try create()
    let stop = try StopSignals()
    var writer = LibinputWriter()
    try write(
      writer.header(
        live.device.description, live.device.state, UdevProperties(of: live.path), node: live.path),
      file)
    Notice.write("\(live.path) (\(live.device.description.name)) recording; Ctrl-C ends it")
    var poll = Poll()
    let place = poll.add(live.device.number)
    let stopPlace = poll.add(stop.number)
    while true {
      _ = try? poll.wait()
      if poll.isReadable(place) || poll.isGone(place) {
        guard try read(&live.device, &writer, file) else { break }
      }
      if poll.isReadable(stopPlace) { break }
    }
    do throws(Errno) { try file.sync() } catch { throw failure(error) }
  }

  /// Creates the file for its owner alone, since it may contain a signature.
  private func create() throws(ToolError) -> FileDescriptor {
    do throws(Errno) {
      return try FileDescriptor(opening: output, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    } catch {
      throw ToolError(.cannotCreate, SystemError("create", output, error).text)
    }
  }

  /// Writes all pending events; false if the device is unplugged.
  private func read(
    _ device: inout EventDevice, _ writer: inout LibinputWriter, _ file: borrowing FileDescriptor
  ) throws(ToolError) -> Bool {
    var text = ""
    var isThere = true
    reading: while true {
      switch device.next() {
      case .event(let event): text += writer.event(event)
      case .gap(let time): text += writer.gap(at: time)
      case .empty: break reading
      case .gone:
        isThere = false
        break reading
      }
    }
    try write(text, file)
    return isThere
  }

  private func write(_ text: String, _ file: borrowing FileDescriptor) throws(ToolError) {
    do throws(Errno) { try file.writeAll(text) } catch { throw failure(error) }
  }

  private func failure(_ error: Errno) -> ToolError {
    ToolError(.io, SystemError("write", output, error).text)
  }
}
