internal import CLibdrm
internal import Linux
internal import Raster

/// A piece of data in the kernel that a property can point at.
struct PropertyBlob: ~Copyable {
  let card: Card
  let id: UInt32

  /// A mode, for MODE_ID.
  init(_ mode: drm_mode_modeinfo, on card: Card) throws(DisplayError) {
    var mode = mode
    var id: UInt32 = 0
    let result = unsafe withUnsafeMutableBytes(of: &mode) { bytes in
      unsafe drmModeCreatePropertyBlob(card.fd, bytes.baseAddress, bytes.count, &id)
    }
    guard result == 0 else { throw DisplayError(.createBlob, Errno(-result), card: card.path) }
    self.card = card
    self.id = id
  }

  /// Rectangles, for FB_DAMAGE_CLIPS: a `PixelRect` lies in memory as a `drm_mode_rect` does.
  init(clips: PixelRegion, on card: Card) throws(DisplayError) {
    var id: UInt32 = 0
    let result = unsafe clips.rects.withUnsafeBytes { bytes in
      unsafe drmModeCreatePropertyBlob(card.fd, bytes.baseAddress, bytes.count, &id)
    }
    guard result == 0 else { throw DisplayError(.createBlob, Errno(-result), card: card.path) }
    self.card = card
    self.id = id
  }

  deinit {
    _ = drmModeDestroyPropertyBlob(card.fd, id)
  }
}
