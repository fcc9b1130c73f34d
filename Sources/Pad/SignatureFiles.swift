internal import Configuration
internal import Control
internal import Ink
internal import Linux
internal import PNG
internal import Raster
internal import Signature
internal import Spool

/// Turns a finished signature into the files of its item. Waits for the disk: the save thread's work.
struct SignatureFiles {
  /// What the configuration says of `[signature]`.
  let wishes: SignatureConfiguration
  /// What the manifest names as the pad, and as the panel.
  let device: String, panel: String
  /// What drew.
  let model: StrokeModel.Kind
  /// Of the ink, 0xRRGGBB, where a format has colours.
  let colour: UInt32

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
  /// - Parameter willMove: Is told the item's id before it is moved from the spool's `tmp` to `new`.
  func publish(
    _ signature: FinishedSignature, by publisher: inout Publisher,
    willMove: (ItemID) -> Void = { _ in }
  ) throws(Failure) -> (manifest: Manifest, saved: SavedSignature) {
    let picture = try draw(signature)
    let svg = wishes.svg ? try outlines(of: signature) : nil
    let draft: Draft
    do throws(SpoolError) { draft = try publisher.begin() } catch { throw .spool(error) }
    let png: [UInt8]
    do throws(PNGError) { png = try encode(picture, draft) } catch { throw .png(error) }
    let inkml =
      wishes.inkml
      ? InkML.write(signature.strokes, glass: signature.glass.size, time: draft.time) : nil
    let manifest: Manifest
    do throws(SpoolError) {
      manifest = try publish(signature, picture, (png, svg, inkml), as: draft, willMove)
    } catch { throw .spool(error) }
    let saved = SavedSignature(
      id: manifest.id.text, digest: manifest.files.first { $0.file == .png }?.sha256 ?? "",
      time: manifest.time, reference: manifest.reference, width: manifest.width,
      height: manifest.height, dpi: manifest.dpi, png: png, svg: svg, inkml: inkml,
      strokes: signature.strokes)
    return (manifest, saved)
  }

  private func publish(
    _ signature: FinishedSignature, _ picture: InkPicture,
    _ files: (png: [UInt8], svg: [UInt8]?, inkml: [UInt8]?), as draft: consuming Draft,
    _ willMove: (ItemID) -> Void
  ) throws(SpoolError) -> Manifest {
    let id = draft.id
    try draft.write(.png, files.png)
    if let svg = files.svg { try draft.write(.svg, svg) }
    if let inkml = files.inkml { try draft.write(.inkml, inkml) }
    if wishes.json { try draft.write(.strokes, record(signature).bytes) }
    return try draft.publish(
      Draft.Description(
        reference: signature.reference, device: device, panel: panel, width: picture.width,
        height: picture.height, dpi: Double(picture.scale.dpi), strokes: signature.strokes.count)
    ) { willMove(id) }
  }

  private func draw(_ signature: FinishedSignature) throws(Failure) -> InkPicture {
    let scale =
      switch wishes.resolution {
      case .dpi(let dpi): Scale(dpi: Float(dpi))
      case .panel: signature.scale
      }
    do throws(InkPicture.Refusal) {
      return try InkPicture(
        of: signature.strokes, by: model, scale: scale, frame: frame(of: signature))
    } catch { throw .picture(error) }
  }

  private func outlines(of signature: FinishedSignature) throws(Failure) -> [UInt8] {
    do throws(InkPicture.Refusal) {
      return try SVG.write(
        signature.strokes, by: model, frame: frame(of: signature), colour: colour)
    } catch { throw .picture(error) }
  }

  private func frame(of signature: FinishedSignature) -> InkPicture.Frame {
    wishes.trim ? .ink(margin: wishes.margin) : .glass(signature.glass.size)
  }

  private func encode(
    _ picture: InkPicture, _ draft: borrowing Draft
  ) throws(PNGError) -> [UInt8] {
    let header = PNGHeader(
      width: picture.width, height: picture.height, pixels: .grey, scale: picture.scale,
      texts: [
        .software("Paraph"), PNGText("Signature ID", draft.id.text),
        .creationTime(WallClock.text(draft.time)),
      ])
    let grey = picture.grey
    return try unsafe PNGFile.encode(grey.span.bytes, as: header)
  }

  private func record(_ signature: FinishedSignature) -> RecordedStrokes {
    RecordedStrokes(
      width: signature.glass.size.x, height: signature.glass.size.y, scaleX: signature.scale.x,
      scaleY: signature.scale.y, model: model.rawValue,
      strokes: signature.strokes)
  }
}
