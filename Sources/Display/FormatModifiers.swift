/// A plane's property IN_FORMATS (drm_mode.h, `struct drm_format_modifier_blob`): which formats it takes in which
/// layout of memory. Planes that only take compressed formats list them among their formats all the same
/// (the clusters of Rockchip's VOP2).
enum FormatModifiers {
  /// DRM_FORMAT_MOD_LINEAR, which dumb buffers have.
  private static let linear: UInt64 = 0

  /// The fourccs that a plane takes in dumb buffers; nil if `blob` is not of that form.
  static func linearFormats(_ blob: [UInt8]) -> [UInt32]? {
    guard let formatCount = word(blob, 8), let formatStart = word(blob, 12),
      let modifierCount = word(blob, 16), let modifierStart = word(blob, 20)
    else { return nil }
    var formats: [UInt32] = []
    for index in 0..<UInt64(formatCount) {
      guard let format = word(blob, UInt64(formatStart) + 4 * index) else { return nil }
      formats.append(format)
    }
    var found: [UInt32] = []
    for index in 0..<UInt64(modifierCount) {
      let start = UInt64(modifierStart) + 24 * index
      guard let mask = double(blob, start), let first = word(blob, start + 8),
        let modifier = double(blob, start + 16)
      else { return nil }
      guard modifier == linear else { continue }
      for bit in 0..<64 where mask >> UInt64(bit) & 1 == 1 {
        let place = UInt64(first) + UInt64(bit)
        guard place < UInt64(formats.count) else { return nil }
        found.append(formats[Int(place)])
      }
    }
    return found
  }

  private static func word(_ blob: [UInt8], _ offset: UInt64) -> UInt32? {
    guard offset + 4 <= UInt64(blob.count) else { return nil }
    let start = Int(offset)
    return UInt32(blob[start]) | UInt32(blob[start + 1]) << 8 | UInt32(blob[start + 2]) << 16
      | UInt32(blob[start + 3]) << 24
  }

  private static func double(_ blob: [UInt8], _ offset: UInt64) -> UInt64? {
    guard let low = word(blob, offset), let high = word(blob, offset + 4) else { return nil }
    return UInt64(low) | UInt64(high) << 32
  }
}
