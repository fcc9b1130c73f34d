internal import Configuration
internal import Control
internal import Ink
internal import Linux
internal import PNG
internal import Raster
internal import Screen
internal import Signature
internal import Spool

/// Turns a finished signature into the files of its item. Waits for the disk: the save thread's work.
struct SignatureFiles {
  let drawing: SignatureDrawing
  /// What the manifest names as the pad, and as the panel.
  let device: String
  var panel = ""

  /// Why a signature could not be saved.
  enum Failure: Error {
    case spool(SpoolError)
    case picture(InkPicture.Refusal)
    case png(PNGError)

    /// One line.
    var text: String {
      switch self {
      case .spool(let error): error.text
      case .picture(.noInk): "paraph: the strokes leave no ink"
      case .picture(.tooLarge): "paraph: the picture would be too large: lower [signature] dpi"
      case .png(let error): "paraph: \(error.text)"
      }
    }
  }

  /// Writes and publishes. When it returns, the signature is durably in the spool.
  ///
  /// - Parameter willMove: Called with what is going to be saved before it is moved from the spool's `tmp`
  ///   to `new`, and with nil when that failed.
  func publish(
    _ signature: FinishedSignature, by publisher: inout Publisher,
    willMove: (SavedSignature?) -> Void = { _ in }
  ) throws(Failure) -> (manifest: Manifest, saved: SavedSignature) {
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
    func saved(_ manifest: Manifest) -> SavedSignature {
      SavedSignature(
        id: manifest.id.text, digest: manifest.files.first { $0.file == .png }?.sha256 ?? "",
        time: time, reference: manifest.reference, width: manifest.width,
        height: manifest.height, dpi: manifest.dpi, png: png, glass: glass, strokes: strokes)
    }
    do throws(SpoolError) {
      let manifest = try publish(signature, picture, png, svg, as: draft) {
        willMove($0.map { saved($0) })
      }
      return (manifest, saved(manifest))
    } catch { throw .spool(error) }
  }

  private func publish(
    _ signature: FinishedSignature, _ picture: InkPicture, _ png: [UInt8], _ svg: [UInt8]?,
    as draft: consuming Draft, _ willMove: (Manifest?) -> Void
  ) throws(SpoolError) -> Manifest {
    let (strokes, glass) = (signature.strokes, signature.glass.size)
    try draft.write(.png, png)
    if let svg { try draft.write(.svg, svg) }
    if drawing.wishes.inkml {
      try draft.write(.inkml, drawing.inkml(of: strokes, on: glass, time: draft.time))
    }
    if drawing.wishes.json { try draft.write(.strokes, record(signature).bytes) }
    var description = Draft.Description(
      reference: signature.reference, device: device, panel: panel, width: picture.width,
      height: picture.height, dpi: Double(picture.scale.dpi), strokes: strokes.count)
    (description.title, description.prompt) = (signature.title, signature.prompt)
    return try draft.publish(description, willMove: willMove)
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
