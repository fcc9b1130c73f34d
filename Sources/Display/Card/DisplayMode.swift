internal import CLibdrm

/// A connector's mode with the fields of `drm_mode_modeinfo`.
public struct DisplayMode: Sendable, Equatable {
  /// The pixel clock in kHz; 1 on SPI panels, as a placeholder.
  public var clock: UInt32
  /// Visible columns, sync start, sync end, total, skew.
  public var hdisplay, hsyncStart, hsyncEnd, htotal, hskew: UInt16
  /// Visible rows, sync start, sync end, total, scan.
  public var vdisplay, vsyncStart, vsyncEnd, vtotal, vscan: UInt16
  /// The driver's rounded rate in Hz.
  public var vrefresh: UInt32
  /// `DRM_MODE_FLAG_…` and `DRM_MODE_TYPE_…`.
  public var flags: UInt32, type: UInt32

  /// Visible columns.
  public var width: Int { Int(hdisplay) }
  /// Visible rows.
  public var height: Int { Int(vdisplay) }
  /// Whether it is the panel's native mode (DRM_MODE_TYPE_PREFERRED).
  public var isPreferred: Bool { type & (1 << 3) != 0 }
  /// Whether it is interlaced (DRM_MODE_FLAG_INTERLACE).
  public var isInterlaced: Bool { flags & (1 << 4) != 0 }

  /// The rate in thousandths of a Hertz, from the timings.
  ///
  /// Nil if it is below 10 Hz: such timings are placeholders.
  public var refreshMilliHertz: Int? {
    var lines = UInt64(htotal) * UInt64(vtotal)
    if flags & (1 << 5) != 0 { lines *= 2 }  // DRM_MODE_FLAG_DBLSCAN
    if vscan > 1 { lines *= UInt64(vscan) }
    if isInterlaced { lines /= 2 }
    guard lines > 0 else { return nil }
    let milliHertz = (UInt64(clock) * 1_000_000 + lines / 2) / lines
    return milliHertz >= 10_000 ? Int(milliHertz) : nil
  }

  /// Nanoseconds per frame; nil if the rate is unknown.
  public var period: Int64? {
    refreshMilliHertz.map { 1_000_000_000_000 / Int64($0) }
  }

  /// A rate as text: 59940 is "59.94".
  public static func hertz(_ milliHertz: Int) -> String {
    let hundredths = (milliHertz + 5) / 10
    let rest = hundredths % 100
    return "\(hundredths / 100)." + (rest < 10 ? "0" : "") + "\(rest)"
  }

  /// Whether a CRTC's mode is this one; a CRTC has no type and no rounded rate.
  func isShown(as now: DisplayMode) -> Bool {
    var same = now
    (same.type, same.vrefresh) = (type, vrefresh)
    return same == self
  }

  /// A mode without blanking, for tests and panels in memory.
  public init(width: Int, height: Int, refreshMilliHertz: Int, isPreferred: Bool = false) {
    let (w, h) = (UInt16(clamping: width), UInt16(clamping: height))
    clock = UInt32(clamping: width * height * refreshMilliHertz / 1_000_000)
    (hdisplay, hsyncStart, hsyncEnd, htotal, hskew) = (w, w, w, w, 0)
    (vdisplay, vsyncStart, vsyncEnd, vtotal, vscan) = (h, h, h, h, 0)
    vrefresh = UInt32(clamping: (refreshMilliHertz + 500) / 1000)
    (flags, type) = (0, isPreferred ? 1 << 3 : 0)
  }
}

extension DisplayMode {
  /// A mode as libdrm lists it.
  init(_ info: drmModeModeInfo) {
    self.init(width: 0, height: 0, refreshMilliHertz: 0)
    clock = info.clock
    (hdisplay, hsyncStart, hsyncEnd) = (info.hdisplay, info.hsync_start, info.hsync_end)
    (htotal, hskew) = (info.htotal, info.hskew)
    (vdisplay, vsyncStart, vsyncEnd) = (info.vdisplay, info.vsync_start, info.vsync_end)
    (vtotal, vscan) = (info.vtotal, info.vscan)
    (vrefresh, flags, type) = (info.vrefresh, info.flags, info.type)
  }

  /// The mode as SETCRTC and the property MODE_ID take it.
  var kernel: drm_mode_modeinfo {
    var info = drm_mode_modeinfo()
    info.clock = clock
    (info.hdisplay, info.hsync_start, info.hsync_end) = (hdisplay, hsyncStart, hsyncEnd)
    (info.htotal, info.hskew) = (htotal, hskew)
    (info.vdisplay, info.vsync_start, info.vsync_end) = (vdisplay, vsyncStart, vsyncEnd)
    (info.vtotal, info.vscan) = (vtotal, vscan)
    (info.vrefresh, info.flags, info.type) = (vrefresh, flags, type)
    return info
  }
}

/// A configured mode.
public struct ModeRequest: Sendable, Equatable {
  /// The visible size in pixels.
  public let width: Int, height: Int
  /// The rate in thousandths of a Hertz; nil accepts any.
  public let refreshMilliHertz: Int?

  /// A request for a size in pixels and a rate in thousandths of a Hertz.
  public init(width: Int, height: Int, refreshMilliHertz: Int? = nil) {
    (self.width, self.height) = (width, height)
    self.refreshMilliHertz = refreshMilliHertz
  }

  /// The best matching mode, or nil.
  ///
  /// Without a rate it is the preferred mode, then a progressive one, then the first. With a rate it is the nearest
  /// within half a Hertz: 60 matches 59.94.
  public func choose(from modes: [DisplayMode]) -> DisplayMode? {
    var best: DisplayMode?
    var bestScore = Int.max
    for mode in modes where mode.width == width && mode.height == height {
      guard let score = score(mode), score < bestScore else { continue }
      (best, bestScore) = (mode, score)
    }
    return best
  }

  private func score(_ mode: DisplayMode) -> Int? {
    var score = mode.isInterlaced ? 10_000 : 0
    if !mode.isPreferred { score += 1 }
    if let wanted = refreshMilliHertz {
      guard let has = mode.refreshMilliHertz, abs(has - wanted) <= 500 else { return nil }
      score += 2 * abs(has - wanted)
    }
    return score
  }
}
