internal import CLinux
internal import Linux

/// What a device reported or a tablet wrote, from a file: the tool and the daemon play it.
public enum Recording: Sendable, Equatable {
  /// The events of a touchscreen or pen, from evemu-record or libinput record.
  case device(DeviceRecording)
  /// Strokes of a `.svc` file.
  case handwriting(Handwriting)

  /// A file that is larger is not read: a day of a busy panel is smaller.
  public static let sizeLimit = 256 << 20

  /// Reads a file; its content tells the format.
  public init(contentsOf path: String) throws(RecordingError) {
    let content: [UInt8]?
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY)
      content = try file.readAll(limit: Recording.sizeLimit)
    } catch {
      throw .unreadable(SystemError("read", path, error))
    }
    guard let content else { throw .tooLarge(file: path, limit: Recording.sizeLimit) }
    self = try Recording(content, file: path)
  }

  /// Reads what is in memory; `file` is for the errors.
  public init(_ bytes: [UInt8], file: String) throws(RecordingError) {
    do throws(LineError) {
      switch RecordingFormat(bytes) {
      case .evemu: self = .device(try EvemuReader.read(bytes))
      case .libinput: self = .device(try LibinputReader.read(bytes))
      case .handwriting: self = .handwriting(try HandwritingReader.read(bytes))
      case nil:
        throw LineError(
          0, "neither a recording of evemu or libinput nor handwriting in .svc")
      }
    } catch {
      throw .malformed(file: file, line: error.line, reason: error.reason)
    }
  }
}

extension DeviceRecording {
  /// Whether the device has anything that can touch.
  var canTouch: Bool {
    let plan = DeviceProtocol(device)
    return plan.multitouch != .none || plan.point != .none
  }
}
