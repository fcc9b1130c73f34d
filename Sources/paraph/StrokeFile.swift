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

  /// The model to draw with: the named one, else the one that drew the signature, else the default.
  func kind(named name: String?) -> StrokeModel.Kind {
    guard let name else { return model ?? .standard }
    return StrokeModel.Kind(rawValue: name) ?? .standard
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

extension StrokeFile {
  /// More than this is nobody's glass, in millimetres.
  private static let largestGlass: Float = 500

  /// Where the models' own bound is, in millimetres from the origin: beyond it, neither the sizes of pictures nor
  /// what is calculated with them fit into their types.
  private static let farthest: Float = 1_000_000

  /// Reads a file whose coordinates are drawn as they are; those beyond the bound are an error.
  init(bounded path: String, units: Double?) throws(ToolError) {
    try self.init(path, units: units)
    try checkPlaces(path)
  }

  /// Reads a file for a picture, which has to have a size: where nothing states the units, they are
  /// guessed, and the guess is told.
  init(measured path: String, units: Double?) throws(ToolError) {
    try self.init(path, units: units)
    let guess = assumeSize()
    try checkPlaces(path)
    if let guess {
      Notice.write(
        "\(path): no scale in the file; using \(guess) units per millimetre (--units-per-mm)")
    }
  }

  /// Finite places of all samples.
  var places: [Point] {
    strokes.flatMap { $0.samples }.map { $0.position }.filter { $0.x.isFinite && $0.y.isFinite }
  }

  private func checkPlaces(_ path: String) throws(ToolError) {
    for stroke in strokes {
      for sample in stroke.samples {
        let place = sample.position
        // NaN is no place, and is left out.
        if abs(place.x) > StrokeFile.farthest || abs(place.y) > StrokeFile.farthest {
          throw ToolError(
            .data,
            "\(path): coordinates exceed \(Int(StrokeFile.farthest)) mm (check --units-per-mm)")
        }
      }
    }
  }

  /// Gives strokes the smallest power of ten for the units of a millimetre with which they fit on a
  /// glass. Returns it where it is not 1.
  private mutating func assumeSize() -> Int? {
    guard let recording = unmeasured else { return nil }
    var units = 1
    while extent / Float(units) > StrokeFile.largestGlass, units < 1_000_000 { units *= 10 }
    guard units > 1 else { return nil }
    self = StrokeFile(recording, Double(units))
    return units
  }

  /// The longer side of the rectangle around all places.
  private var extent: Float {
    var (from, to) = (Point(.infinity, .infinity), Point(-.infinity, -.infinity))
    for place in places {
      from = Point(min(from.x, place.x), min(from.y, place.y))
      to = Point(max(to.x, place.x), max(to.y, place.y))
    }
    return max(to.x - from.x, to.y - from.y)
  }
}
