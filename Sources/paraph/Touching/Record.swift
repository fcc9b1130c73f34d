internal import ArgumentParser
import CLinux
import Configuration
import Linux
import Pad
import Touch

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Records a touchscreen, so that a problem of the field becomes a test.",
    discussion: """
      Writes what `libinput record` writes: libinput's tools and all of paraph's read it. Ends with \
      Ctrl-C, or when the device is unplugged. A recording of a hand that signs is a signature: treat \
      it as one.
      """)

  @Argument(help: "A node below /dev/input; without one, what the pad would take.")
  var device: String?

  @Option(name: .shortAndLong, help: "Where to write; it must not exist.", completion: .file())
  var output: String

  @OptionGroup var pad: PadSettings

  func run() throws {
    var live = try LiveDevice(device, pad.read())
    let file = try create()
    let stop = try StopSignals()
    var writer = LibinputWriter()
    try write(
      writer.header(
        live.device.description, live.device.state, UdevProperties(of: live.path), node: live.path),
      file)
    Notice.write("\(live.path) (\(live.device.description.name)) is recorded: Ctrl-C ends it")
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
    do { try file.sync() } catch { throw failure(error) }
  }

  /// Only its owner may read it: it may be a signature.
  private func create() throws -> FileDescriptor {
    do {
      return try FileDescriptor(opening: output, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    } catch {
      throw ToolError(.cannotCreate, SystemError("create", output, error).text)
    }
  }

  /// Writes what waits; false when the device is gone.
  private func read(
    _ device: inout EventDevice, _ writer: inout LibinputWriter, _ file: borrowing FileDescriptor
  ) throws -> Bool {
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

  private func write(_ text: String, _ file: borrowing FileDescriptor) throws {
    do { try file.writeAll(text) } catch { throw failure(error) }
  }

  private func failure(_ error: Errno) -> ToolError {
    ToolError(.io, SystemError("write", output, error).text)
  }
}
