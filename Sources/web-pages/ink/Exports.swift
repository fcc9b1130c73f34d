import Ink
import Raster
import Signature

// The functions of ink.wasm. An instance has one sheet; paraph.js makes an instance for each canvas. Every number that a
// page can pass is valid: numbers that make no sense are refused, and calls before `create` do nothing.
//
// Positions are in millimetres, times in nanoseconds, pressures 0…1 or negative, colours 0xRRGGBBAA. Functions that can
// fail return 0 then, otherwise 1.

// The only state of an instance, which has one thread.
@safe private nonisolated(unsafe) var sheet: Sheet?
@safe private nonisolated(unsafe) var changed = PixelRect.empty
@safe private nonisolated(unsafe) var pen = Pen()
@safe private nonisolated(unsafe) var numbers: [Int32] = []
/// The bytes of a picture of earlier ink, while the page writes them.
@safe private nonisolated(unsafe) var coverage: [UInt8] = []

/// Starts over with an empty sheet for a stroke model, 0…3: ductus, uberSignature, velocityStrip, polyline.
///
/// The model's own prediction is in nanoseconds.
@_expose(wasm, "create") @_cdecl("ink_create")
func create(
  _ kind: Int32, _ width: Int32, _ height: Int32, _ scaleX: Float, _ scaleY: Float,
  _ prediction: Double
) -> Int32 {
  sheet = nil
  changed = .empty
  let kinds: [StrokeModel.Kind] = [.ductus, .uberSignature, .velocityStrip, .polyline]
  guard kind >= 0, kind < kinds.count else { return 0 }
  sheet = Sheet(
    kinds[Int(kind)], width: Int(width), height: Int(height), scale: Scale(x: scaleX, y: scaleY),
    prediction: nanoseconds(prediction), pen: pen)
  return sheet == nil ? 0 : 1
}

/// Changes size and density and draws the ink again; fails if there are colours below the ink.
@_expose(wasm, "resize") @_cdecl("ink_resize")
func resize(_ width: Int32, _ height: Int32, _ scaleX: Float, _ scaleY: Float) -> Int32 {
  flag(
    sheet?.resize(
      width: Int(width), height: Int(height), scale: Scale(x: scaleX, y: scaleY)))
}

/// Sets the pen for strokes to come; their widths are in millimetres.
@_expose(wasm, "setPen") @_cdecl("ink_set_pen")
func setPen(_ narrowest: Float, _ widest: Float, _ colour: UInt32, _ isEraser: Int32) {
  pen = Pen(
    narrowest: narrowest, widest: widest, colour: Colour(colour), isEraser: isEraser != 0)
}

/// The narrowest ink of the pad's own pen.
@_expose(wasm, "narrowest") @_cdecl("ink_narrowest")
func narrowest() -> Float { WidthLaw.standard.narrowest }

/// The widest ink of the pad's own pen.
@_expose(wasm, "widest") @_cdecl("ink_widest")
func widest() -> Float { WidthLaw.standard.widest }

/// Ends the stroke in progress, if any, and starts another with the pen; fails if the drawing is full.
@_expose(wasm, "begin") @_cdecl("ink_begin")
func begin(_ x: Float, _ y: Float, _ time: Double, _ pressure: Float) -> Int32 {
  flag(sheet?.begin(sample(x, y, time, pressure), with: pen))
}

/// Adds a sample to the stroke; fails without a stroke, or if the drawing is full. Ink does not cross a gap before it.
@_expose(wasm, "extend") @_cdecl("ink_extend")
func extend(_ x: Float, _ y: Float, _ time: Double, _ pressure: Float, _ gap: Int32) -> Int32 {
  flag(sheet?.extend(sample(x, y, time, pressure), isAfterGap: gap != 0))
}

/// Adds a sample that the browser predicts; `predict` draws them.
@_expose(wasm, "foresee") @_cdecl("ink_foresee")
func foresee(_ x: Float, _ y: Float, _ time: Double, _ pressure: Float) {
  sheet?.foresee(sample(x, y, time, pressure))
}

/// Draws the predicted samples until the next real one.
@_expose(wasm, "predict") @_cdecl("ink_predict")
func predict() { sheet?.predict() }

/// Ends the stroke in progress.
@_expose(wasm, "end") @_cdecl("ink_end")
func end() { sheet?.end() }

/// Removes the last stroke; fails if it was drawn with an earlier pen, or there is none.
@_expose(wasm, "undo") @_cdecl("ink_undo")
func undo() -> Int32 { flag(sheet?.undo()) }

/// Removes everything, and fills the sheet with a colour.
@_expose(wasm, "clear") @_cdecl("ink_clear")
func clear(_ background: UInt32) { sheet?.clear(to: Colour(background)) }

/// The address of `count` bytes for a picture of earlier ink, one byte per pixel: 0 is paper, 255 is ink. 0 if there
/// are too many.
@_expose(wasm, "coverage") @_cdecl("ink_coverage")
func prepareCoverage(_ count: Int32) -> Int32 {
  guard count > 0, count <= 1 << 22 else { return 0 }
  coverage = [UInt8](repeating: 0, count: Int(count))
  return unsafe coverage.withUnsafeMutableBufferPointer { unsafe address(of: $0.baseAddress) }
}

/// Replaces the drawing by the picture that was written, in the present pen's colour.
///
/// Its density is in the picture's own pixels per millimetre, as is its position on the sheet.
@_expose(wasm, "start") @_cdecl("ink_start")
func start(
  _ width: Int32, _ height: Int32, _ scaleX: Float, _ scaleY: Float, _ left: Int32, _ top: Int32
) -> Int32 {
  let bytes = coverage
  coverage = []
  guard width > 0, height > 0, scaleX > 0.01, scaleY > 0.01, scaleX < 10_000, scaleY < 10_000,
    let picture = InkPicture(
      coverage: bytes, width: Int(width), height: Int(height), scale: Scale(x: scaleX, y: scaleY),
      left: Int(left), top: Int(top))
  else { return 0 }
  guard sheet != nil else { return 0 }
  sheet?.start(on: picture, with: pen)
  return 1
}

/// The address of the colours below the ink, to be overwritten: red, green, blue and alpha of each pixel.
@_expose(wasm, "page") @_cdecl("ink_page")
func page() -> Int32 { unsafe address(of: sheet?.paint()) }

/// Brings the pixels up to date; fails if nothing has changed.
@_expose(wasm, "compose") @_cdecl("ink_compose")
func compose() -> Int32 {
  changed = sheet?.compose() ?? .empty
  return changed.isEmpty ? 0 : 1
}

/// The address of the pixels: red, green, blue and alpha of each.
@_expose(wasm, "pixels") @_cdecl("ink_pixels")
func pixels() -> Int32 { unsafe address(of: sheet?.pixels) }

/// The rectangle that the last `compose` changed: its left and top side, width and height in pixels.
@_expose(wasm, "left") @_cdecl("ink_left")
func left() -> Int32 { changed.x0 }
@_expose(wasm, "top") @_cdecl("ink_top")
func top() -> Int32 { changed.y0 }
@_expose(wasm, "width") @_cdecl("ink_width")
func width() -> Int32 { Int32(truncatingIfNeeded: changed.width) }
@_expose(wasm, "height") @_cdecl("ink_height")
func height() -> Int32 { Int32(truncatingIfNeeded: changed.height) }

/// Writes the outlines of the present pen's ink as 32-bit integers (`Sheet.outlines`); returns their count.
@_expose(wasm, "outline") @_cdecl("ink_outline")
func outline() -> Int32 {
  numbers = sheet?.outlines() ?? []
  return Int32(truncatingIfNeeded: numbers.count)
}

/// The address of the outlines.
@_expose(wasm, "numbers") @_cdecl("ink_numbers")
func numbersAddress() -> Int32 {
  unsafe numbers.withUnsafeMutableBufferPointer { numbers in
    unsafe numbers.baseAddress.map { Int32(truncatingIfNeeded: Int(bitPattern: $0)) } ?? 0
  }
}

private func flag(_ value: Bool?) -> Int32 { value == true ? 1 : 0 }

private func sample(_ x: Float, _ y: Float, _ time: Double, _ pressure: Float) -> Sample {
  Sample(time: nanoseconds(time), position: Point(x, y), pressure: pressure)
}

/// Clamps to what is beyond any clock; NaN becomes 0.
private func nanoseconds(_ value: Double) -> Int64 {
  value.isFinite ? Int64(min(max(value, -0x1p61), 0x1p61)) : 0
}

private func address(of pointer: UnsafeMutablePointer<UInt8>?) -> Int32 {
  guard let pointer = unsafe pointer else { return 0 }
  return Int32(truncatingIfNeeded: Int(bitPattern: pointer))
}
