import CLinux
import Ink
import Linux
import Raster
import Signature
import Spool
import Touch

/// What a file has to draw: a recording of a device, handwriting, or the strokes.json of a signature.
struct StrokeFile {
  /// In the order in which they were begun.
  var strokes: [Stroke]
  /// Where the file is a signature's: the glass in millimetres, its density, and what drew on it.
  var glass: Point?
  var scale: Scale?
  var model: StrokeModel.Kind?
  /// How wide its ink was.
  var law = WidthLaw.standard
  /// Where nothing says how many units are a millimetre: what was taken as 1.
  private(set) var unmeasured: Recording?

  /// Reads a file; its content tells the format.
  ///
  /// - Parameter units: Device units per millimetre; nil: what the file says, else 1.
  init(_ path: String, units: Double?) throws(ToolError) {
    let bytes = try StrokeFile.bytes(of: path)
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      do { self.init(try RecordedStrokes(bytes)) } catch {
        throw ToolError(.data, "\(path): \(error.reason)")
      }
    } else {
      do { self.init(try Recording(bytes, file: path), units) } catch { throw ToolError(error) }
    }
  }

  /// The strokes of a recording, with `units` to the millimetre.
  init(_ recording: Recording, _ units: Double?) {
    switch recording {
    case .handwriting(let handwriting):
      strokes = handwriting.samples(unitsPerMillimetre: units ?? 1).map { Stroke($0) }
      unmeasured = units == nil ? recording : nil
    case .device(let device):
      let known = units.map { (x: $0, y: $0) } ?? device.device.unitsPerMillimetre
      strokes = DrawnContacts.strokes(of: device, unitsPerMillimetre: known ?? (x: 1, y: 1))
      unmeasured = known == nil ? recording : nil
    }
    // A stroke is what has a place: the models drop what has none.
    strokes.removeAll { !$0.samples.contains { $0.position.x.isFinite && $0.position.y.isFinite } }
  }

  private init(_ recorded: RecordedStrokes) {
    strokes = recorded.strokes.map { Stroke($0.samples, gaps: $0.gaps) }
    glass = Point(recorded.width, recorded.height)
    scale = Scale(x: recorded.scaleX, y: recorded.scaleY)
    model = StrokeModel.Kind(rawValue: recorded.model)
    if let width = recorded.inkWidth {
      law = WidthLaw(narrowest: width.lowerBound, widest: width.upperBound)
    }
  }

  private static func bytes(of path: String) throws(ToolError) -> [UInt8] {
    let content: [UInt8]?
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY)
      content = try file.readAll(limit: Recording.sizeLimit)
    } catch {
      throw ToolError(RecordingError.unreadable(SystemError("read", path, error)))
    }
    guard let content else {
      throw ToolError(RecordingError.tooLarge(file: path, limit: Recording.sizeLimit))
    }
    return content
  }
}
