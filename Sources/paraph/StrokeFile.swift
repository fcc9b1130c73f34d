import CLinux
import Ink
import JSON
import Linux
import Raster
import Signature
import Spool
import Touch

/// The strokes of a recording, of handwriting or of a signature.
///
/// A signature's are those of strokes.json, or the array of the pad's interface that `paraph sign` writes.
struct StrokeFile {
  /// The strokes in the order of their starts.
  private(set) var strokes: [Stroke]
  /// The glass in millimetres; nil unless the file is a strokes.json.
  private(set) var glass: Point?
  /// The density of the glass; nil unless the file is a strokes.json.
  private(set) var scale: Scale?
  /// The stroke model; nil unless the file is a strokes.json.
  private(set) var model: StrokeModel.Kind?
  /// The width of the ink.
  private(set) var law = WidthLaw.standard
  /// The recording, if its units per millimetre are unknown and assumed to be 1.
  private var unmeasured: Recording?

  /// Reads a file and detects its format.
  ///
  /// - Parameter units: Device units per millimetre; nil: as in the file, else 1.
  init(_ path: String, units: Double?) throws(ToolError) {
    let bytes: [UInt8]
    do throws(RecordingError) { bytes = try Recording.bytes(of: path) } catch {
      throw ToolError(error)
    }
    let first = bytes.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") {
      do { self.init(try RecordedStrokes(bytes)) } catch {
        throw ToolError(.data, "\(path): \(error.reason)")
      }
    } else if first == UInt8(ascii: "[") {
      try self.init(array: bytes, path)
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
    // The models ignore samples without finite coordinates.
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

  /// Reads an array of the interface's type `Stroke`.
  private init(array bytes: [UInt8], _ path: String) throws(ToolError) {
    let array: JSONValue
    do throws(JSONError) {
      array = try JSONValue.parse(bytes, limits: .init(size: ItemFile.sizeLimit, depth: 8))
    } catch { throw ToolError(.data, "\(path): \(error.text)") }
    var strokes: [Stroke] = []
    for (index, element) in (array.elements ?? []).enumerated() {
      guard let stroke = Stroke(element) else {
        throw ToolError(
          .data, "\(path): stroke \(index) has no samples, or an invalid sample or gap")
      }
      strokes.append(stroke)
    }
    self.strokes = strokes
  }
}

extension Stroke {
  /// The interface's type `Stroke`; nil if the value is none.
  fileprivate init?(_ value: JSONValue) {
    guard let elements = value["samples"]?.elements else { return nil }
    var samples: [Sample] = []
    var gaps: [Int] = []
    for element in elements {
      guard let sample = Sample(element) else { return nil }
      samples.append(sample)
    }
    for element in value["gaps"]?.elements ?? [] {
      guard let integer = element.integer, let gap = Int(exactly: integer),
        samples.indices.contains(gap)
      else { return nil }
      gaps.append(gap)
    }
    self.init(samples, gaps: gaps)
  }
}

extension Sample {
  /// The interface's type `Sample`; nil if the value is none.
  fileprivate init?(_ value: JSONValue) {
    guard let seconds = value["t"]?.real, abs(seconds) <= 1e9, let x = value["x"]?.real,
      let y = value["y"]?.real
    else { return nil }
    let position = Point(Float(x), Float(y))
    let pressure = Float(value["pressure"]?.real ?? -1)
    guard position.x.isFinite, position.y.isFinite, pressure.isFinite else { return nil }
    self.init(time: Int64((seconds * 1e9).rounded()), position: position, pressure: pressure)
  }
}

extension StrokeFile {
  /// The maximum size of a glass in millimetres.
  private static let largestGlass: Float = 500

  /// The models' limit of coordinates, in millimetres. Larger pictures would overflow.
  private static let farthest: Float = 1_000_000

  /// Reads a file without scaling, and checks its coordinates.
  init(bounded path: String, units: Double?) throws(ToolError) {
    try self.init(path, units: units)
    try checkPlaces(path)
  }

  /// Reads a file for a picture.
  ///
  /// Guesses the units if they are unknown, and prints the guess.
  init(measured path: String, units: Double?) throws(ToolError) {
    try self.init(path, units: units)
    let guess = assumeSize()
    try checkPlaces(path)
    if let guess {
      Notice.write(
        "\(path): no scale in the file; using \(guess) units per millimetre (--units-per-mm)")
    }
  }

  /// The finite positions of all samples.
  var places: [Point] {
    strokes.flatMap { $0.samples }.map { $0.position }.filter { $0.x.isFinite && $0.y.isFinite }
  }

  private func checkPlaces(_ path: String) throws(ToolError) {
    for stroke in strokes {
      for sample in stroke.samples {
        let place = sample.position
        if abs(place.x) > StrokeFile.farthest || abs(place.y) > StrokeFile.farthest {
          throw ToolError(
            .data,
            "\(path): coordinates exceed \(Int(StrokeFile.farthest)) mm (check --units-per-mm)")
        }
      }
    }
  }

  /// Scales strokes of unknown units by the smallest power of ten that fits a glass.
  ///
  /// Returns the units per millimetre; nil if they are known or 1.
  private mutating func assumeSize() -> Int? {
    guard let recording = unmeasured else { return nil }
    var units = 1
    while extent / Float(units) > StrokeFile.largestGlass, units < 1_000_000 { units *= 10 }
    guard units > 1 else { return nil }
    self = StrokeFile(recording, Double(units))
    return units
  }

  /// The longer side of the bounding box.
  private var extent: Float {
    var (from, to) = (Point(.infinity, .infinity), Point(-.infinity, -.infinity))
    for place in places {
      from = Point(min(from.x, place.x), min(from.y, place.y))
      to = Point(max(to.x, place.x), max(to.y, place.y))
    }
    return max(to.x - from.x, to.y - from.y)
  }
}

/// Converts a recording to the strokes that a pad would draw.
struct DrawnContacts {
  private var strokes: [Stroke] = []
  private var drawing: Int32?

  /// The strokes in device units divided by `units`, without rotation, clipping or offset.
  static func strokes(
    of recording: DeviceRecording, unitsPerMillimetre units: (x: Double, y: Double)
  ) -> [Stroke] {
    let geometry = GlassGeometry(recording.device, unitsPerMillimetre: units)
    var decoder = ContactDecoder(recording.device, state: recording.state)
    var arbitration = TouchArbitration()
    var contacts = DrawnContacts()
    for event in recording.events where decoder.put(event) {
      arbitration.process(
        decoder.frame, geometry: geometry, isPenNear: decoder.isPenNear, at: event.time)
      for index in 0..<arbitration.contacts.count { contacts.take(arbitration.contacts[index]) }
    }
    return contacts.strokes
  }

  private mutating func take(_ contact: GlassContact) {
    switch contact.phase {
    case .down:
      drawing = contact.contact
      strokes.append(Stroke([contact.sample]))
    case .move:
      guard contact.contact == drawing else { return }
      let last = strokes.count - 1
      if contact.isAfterGap { strokes[last].gaps.append(strokes[last].samples.count) }
      strokes[last].samples.append(contact.sample)
    case .up, .cancel:
      guard contact.contact == drawing else { return }
      if contact.isMistake { strokes.removeLast() }
      drawing = nil
    }
  }
}
