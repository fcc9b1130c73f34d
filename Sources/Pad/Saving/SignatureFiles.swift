internal import Configuration
internal import Control
internal import Ink
internal import Linux
internal import SealClient
internal import PNG
internal import Raster
internal import Screen
internal import Signature
internal import Spool

/// A signature that must be saved, as the render thread sends it to the save thread.
struct FinishedSignature: Equatable, Sendable {
  /// The strokes as the panel reported them.
  let strokes: [Stroke]
  /// The glass, in millimetres.
  let glass: Area
  /// The panel's pixels per millimetre.
  let scale: Scale
  /// The number of the request that it answers; nil: stand-alone mode.
  var request: Int64?
  /// The client's reference.
  var reference: String?
  /// Who asked for it; nil: nobody, in stand-alone mode.
  var requester: Requester?
  /// What was shown while it was signed.
  var shown = ShownContent()
  /// When *Done* was released, CLOCK_MONOTONIC.
  let done: Int64
}

/// Publishes finished signatures as items of the spool. Waits for the disk: belongs to the save thread.
struct SignatureFiles {
  let drawing: SignatureDrawing
  /// The device name for manifests.
  let device: String
  /// The panel's name for manifests.
  var panel = ""
  /// The touchscreen's name for manifests; nil: unknown.
  var touchscreen: String?

  /// Why a signature could not be saved.
  enum Failure: Error {
    case spool(SpoolError)
    case seal(SealFailure)
    case sign(SealFailure)
    /// Nothing may be sealed any more: the line for the log.
    case refused(String)
    case picture(InkPicture.Refusal)
    case png(PNGError)

    /// One line for the log.
    var text: String {
      switch self {
      case .spool(let error): error.text
      case .seal(let error), .sign(let error): error.text
      case .refused(let line): line
      case .picture(.noInk): "paraph: the strokes leave no ink"
      case .picture(.tooLarge): "paraph: the picture would be too large: lower [signature] dpi"
      case .png(let error): "paraph: \(error.text)"
      }
    }
  }

  /// Writes and publishes a signature. It is in the spool, on the disk, when this returns.
  ///
  /// Nothing is written before it is sealed.
  ///
  /// - Parameters:
  ///   - exchange: The conversation with paraph-seal for this signature.
  ///   - willMove: Called before the item is moved from the spool's `tmp` to `new`, and with nil if that failed.
  func publish(
    _ signature: FinishedSignature, by publisher: inout Publisher, sealing: Sealing,
    signing: Signing, exchange: inout SealExchange,
    willMove: (SavedSignature?) -> Void = { _ in }
  ) throws(Failure) -> (manifest: Manifest, saved: SavedSignature) {
    if let line = sealing.refusal(at: WallClock.trustedSeconds) { throw .refused(line) }
    let (strokes, glass) = (signature.strokes, signature.glass.size)
    let picture: InkPicture
    let svg: [UInt8]?
    do throws(InkPicture.Refusal) {
      picture = try drawing.picture(of: strokes, on: glass, panel: signature.scale)
      svg = drawing.wishes.svg ? try drawing.svg(of: strokes, on: glass) : nil
    } catch { throw .picture(error) }
    let draft: Draft
    do throws(SpoolError) { draft = try publisher.begin() } catch { throw .spool(error) }
    let png: [UInt8]
    do throws(PNGError) { png = try encode(picture, draft) } catch { throw .png(error) }
    let time = draft.time
    let files: [Sealing.File]
    do throws(SealFailure) {
      files = try sealing.seal(
        self.files(of: signature, png, svg, time: time), by: &exchange, isLast: !signing.isActive)
    } catch { throw .seal(error) }
    func saved(_ manifest: Manifest) -> SavedSignature {
      let digest = manifest.files.first { $0.file.sealed == .sealedPNG }?.sha256 ?? ""
      var saved = SavedSignature(
        id: manifest.id.text, digest: digest, time: time, reference: manifest.reference,
        width: manifest.width, height: manifest.height, dpi: manifest.dpi, png: png, glass: glass,
        strokes: strokes)
      saved.document = manifest.document
      if sealing.hidesInk {
        saved.hideInk(
          besides: files.filter { $0.file.isSealed }.map { ($0.file.name, $0.bytes) },
          picture: sealing.sealsPicture)
      }
      return saved
    }
    let manifest = try publish(signature, picture, files, as: draft, signing, &exchange) {
      willMove($0.map { saved($0) })
    }
    return (manifest, saved(manifest))
  }

  /// The item's files beside the manifest, unsealed.
  private func files(
    of signature: FinishedSignature, _ png: [UInt8], _ svg: [UInt8]?, time: Int64
  ) -> [Sealing.File] {
    var files: [Sealing.File] = [(.png, png)]
    if let svg { files.append((.svg, svg)) }
    if drawing.wishes.inkml {
      let (strokes, glass) = (signature.strokes, signature.glass.size)
      files.append((.inkml, drawing.inkml(of: strokes, on: glass, time: time)))
    }
    if drawing.wishes.json { files.append((.strokes, record(signature).bytes)) }
    return files
  }

  private func publish(
    _ signature: FinishedSignature, _ picture: InkPicture, _ files: [Sealing.File],
    as draft: consuming Draft, _ signing: Signing, _ exchange: inout SealExchange,
    _ willMove: (Manifest?) -> Void
  ) throws(Failure) -> Manifest {
    let manifest: Manifest
    do throws(SpoolError) {
      for (file, bytes) in files { try draft.write(file, bytes) }
      manifest = try draft.describe(description(of: signature, picture))
    } catch { throw .spool(error) }
    if signing.isActive {
      let pads: [UInt8]
      do throws(SealFailure) {
        pads = try signing.sign(manifest.bytes, by: &exchange)
      } catch { throw .sign(error) }
      do throws(SpoolError) { try draft.sign(pads) } catch { throw .spool(error) }
    }
    do throws(SpoolError) {
      return try draft.publish(willMove: willMove)
    } catch { throw .spool(error) }
  }

  private func description(
    of signature: FinishedSignature, _ picture: InkPicture
  ) -> Draft.Description {
    var description = Draft.Description(
      reference: signature.reference, device: device, panel: panel, width: picture.width,
      height: picture.height, dpi: Double(picture.scale.dpi), strokes: signature.strokes.count)
    let shown = signature.shown
    (description.title, description.prompt) = (shown.title, shown.prompt)
    description.document = shown.document
    description.requester = signature.requester
    description.requester?.user = signature.requester.flatMap { Account.localName(ofUser: $0.uid) }
    description.touchscreen = touchscreen
    description.version = DaemonArguments.version
    return description
  }

  private func encode(
    _ picture: InkPicture, _ draft: borrowing Draft
  ) throws(PNGError) -> [UInt8] {
    let header = PNGHeader(
      width: picture.width, height: picture.height, pixels: .darkness, scale: picture.scale,
      texts: [
        .software("Paraph"), PNGText("Signature ID", draft.id.text),
        .creationTime(WallClock.text(draft.time)),
      ])
    return try unsafe PNGFile.encode(picture.coverage.span.bytes, as: header)
  }

  private func record(_ signature: FinishedSignature) -> RecordedStrokes {
    RecordedStrokes(
      width: signature.glass.size.x, height: signature.glass.size.y, scaleX: signature.scale.x,
      scaleY: signature.scale.y, model: drawing.model.rawValue,
      inkWidth: drawing.theme.inkWidth, strokes: signature.strokes)
  }
}

/// Draws signatures as files, as `[signature]` and `[ink]` of the configuration say. Uses only the theme's ink.
struct SignatureDrawing: Sendable {
  let wishes: SignatureConfiguration
  let model: StrokeModel.Kind
  let theme: Theme

  /// Draws the picture, at a lower resolution than configured if it would be too large: near the
  /// edges of the glass, ink may extend beyond it.
  ///
  /// - Parameter panel: The panel's scale, for `dpi = panel`.
  func picture(
    of strokes: [Stroke], on glass: Point, panel: Scale
  ) throws(InkPicture.Refusal) -> InkPicture {
    var scale =
      switch wishes.resolution {
      case .dpi(let dpi): Scale(dpi: Float(dpi))
      case .panel: panel
      }
    // Ends near a quarter of the resolution: ink that does not fit then is far from the glass.
    for _ in 0..<14 {
      do throws(InkPicture.Refusal) {
        return try picture(of: strokes, on: glass, scale)
      } catch {
        if error != .tooLarge { throw error }
      }
      scale = Scale(x: scale.x * 0.9, y: scale.y * 0.9)
    }
    return try picture(of: strokes, on: glass, scale)
  }

  private func picture(
    of strokes: [Stroke], on glass: Point, _ scale: Scale
  ) throws(InkPicture.Refusal) -> InkPicture {
    try InkPicture(of: strokes, by: model, law: theme.law, scale: scale, frame: frame(glass))
  }

  /// Writes the outlines as SVG.
  func svg(of strokes: [Stroke], on glass: Point) throws(InkPicture.Refusal) -> [UInt8] {
    try SVG.write(
      strokes, by: model, law: theme.law, frame: frame(glass), colour: theme.inkOnPaper)
  }

  /// Writes the samples as InkML; `time` in nanoseconds since 1970.
  func inkml(of strokes: [Stroke], on glass: Point, time: Int64) -> [UInt8] {
    InkML.write(strokes, glass: glass, time: time)
  }

  /// The SVG or InkML file for a reply, equal to the spool's; nil for other formats.
  func file(_ format: SignatureFormat, of signature: SavedSignature) -> [UInt8]? {
    switch format {
    case .svg: try? svg(of: signature.strokes, on: signature.glass)
    case .inkml: inkml(of: signature.strokes, on: signature.glass, time: signature.time)
    case .png, .strokes: nil
    }
  }

  private func frame(_ glass: Point) -> InkPicture.Frame {
    wishes.trim ? .ink(margin: wishes.margin) : .glass(glass)
  }

  // MARK: - Size limit

  /// Why a signature that fills the glass is too large to be saved at `[signature] dpi`; nil: it is not.
  ///
  /// - Parameters:
  ///   - glass: The size in millimetres. With `trim`, the margin and the width of the ink are added.
  ///   - panel: The panel's scale; nil: unknown, and `dpi = panel` is not checked.
  func sizeProblem(on glass: Point, panel: Scale?) -> String? {
    let key: String
    let scale: Scale
    switch wishes.resolution {
    case .panel:
      guard let panel else { return nil }
      (key, scale) = ("panel", panel)
    case .dpi(let dpi): (key, scale) = ("\(dpi)", Scale(dpi: Float(dpi)))
    }
    let (width, height) = pixels(glass, scale)
    if fits(width, height) { return nil }
    let area = "\(whole(glass.x)) × \(whole(glass.y)) mm"
    return "\(key) is too fine to save a signature that fills the glass (\(area)):"
      + " \(whole(width)) × \(whole(height)) pixels, and \(InkPicture.pixelLimit) is the limit:"
      + " use \(largestDensity(on: glass)) or less"
  }

  /// The size of the largest picture in pixels, which may exceed every integer.
  private func pixels(_ glass: Point, _ scale: Scale) -> (Float, Float) {
    let size = scale.pixels(glass)
    guard wishes.trim else { return (size.x.rounded(.up), size.y.rounded(.up)) }
    let around = scale.pixels(Point(wishes.margin, wishes.margin))
    let ink = scale.pixels(Point(theme.law.widest, theme.law.widest))
    return (
      (size.x + ink.x).rounded(.up) + 2 * around.x.rounded(.up),
      (size.y + ink.y).rounded(.up) + 2 * around.y.rounded(.up)
    )
  }

  private func fits(_ width: Float, _ height: Float) -> Bool {
    // A Float counts no further than 2^24, which exceeds the limit of a side.
    width < 16_777_216 && height < 16_777_216
      && Int64(width) * Int64(height) <= Int64(InkPicture.pixelLimit)
  }

  /// The largest resolution that fits, in dots per inch, by bisection.
  private func largestDensity(on glass: Point) -> Int {
    var (fitting, tooLarge) = (0, 1 << 16)
    while tooLarge - fitting > 1 {
      let middle = (fitting + tooLarge) / 2
      let (width, height) = pixels(glass, Scale(dpi: Float(middle)))
      if fits(width, height) { fitting = middle } else { tooLarge = middle }
    }
    return fitting
  }

  /// A whole number for a message.
  private func whole(_ value: Float) -> String {
    value < 1e9 ? "\(Int64(value.rounded()))" : "more than 1000000000"
  }
}

extension StrokeModel.Kind {
  /// The model of the configuration.
  init(_ configuration: InkConfiguration) {
    self = configuration.model.flatMap { StrokeModel.Kind(rawValue: $0) } ?? .standard
  }
}
