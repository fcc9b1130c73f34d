/// A mode of a connector, as `drm_mode_modeinfo` has it.
public struct DisplayMode: Sendable, Equatable {
  /// The pixel clock in kHz. SPI panels have 1 here ("pass validation").
  public var clock: UInt32
  /// Columns; sync start, sync end and total; skew.
  public var hdisplay, hsyncStart, hsyncEnd, htotal, hskew: UInt16
  /// Rows; sync start, sync end and total; scan.
  public var vdisplay, vsyncStart, vsyncEnd, vtotal, vscan: UInt16
  /// The driver's own rounded Hz.
  public var vrefresh: UInt32
  /// `DRM_MODE_FLAG_…` and `DRM_MODE_TYPE_…`.
  public var flags: UInt32, type: UInt32

  /// In pixels.
  public var width: Int { Int(hdisplay) }
  /// In pixels.
  public var height: Int { Int(vdisplay) }
  /// The panel's own resolution (DRM_MODE_TYPE_PREFERRED).
  public var isPreferred: Bool { type & (1 << 3) != 0 }
  /// DRM_MODE_FLAG_INTERLACE.
  public var isInterlaced: Bool { flags & (1 << 4) != 0 }

  /// In thousandths of a Hertz, from the timings, or nil where they say nothing of the kind: below
  /// 10 Hz they are a placeholder.
  public var refreshMilliHertz: Int? {
    var lines = UInt64(htotal) * UInt64(vtotal)
    if flags & (1 << 5) != 0 { lines *= 2 }  // DRM_MODE_FLAG_DBLSCAN
    if vscan > 1 { lines *= UInt64(vscan) }
    if isInterlaced { lines /= 2 }
    guard lines > 0 else { return nil }
    let milliHertz = (UInt64(clock) * 1_000_000 + lines / 2) / lines
    return milliHertz >= 10_000 ? Int(milliHertz) : nil
  }

  /// Nanoseconds from one frame to the next, where known.
  public var period: Int64? {
    refreshMilliHertz.map { 1_000_000_000_000 / Int64($0) }
  }

  /// For people: 59940 is "59.94".
  public static func hertz(_ milliHertz: Int) -> String {
    let hundredths = (milliHertz + 5) / 10
    let rest = hundredths % 100
    return "\(hundredths / 100)." + (rest < 10 ? "0" : "") + "\(rest)"
  }

  /// Whether a CRTC that shows `now` shows this mode: type and rounded rate are the connector's words.
  func isShown(as now: DisplayMode) -> Bool {
    var same = now
    (same.type, same.vrefresh) = (type, vrefresh)
    return same == self
  }

  /// A mode with these visible sizes and rate, for tests and the memory display.
  public init(width: Int, height: Int, refreshMilliHertz: Int, isPreferred: Bool = false) {
    let (w, h) = (UInt16(clamping: width), UInt16(clamping: height))
    clock = UInt32(clamping: width * height * refreshMilliHertz / 1_000_000)
    (hdisplay, hsyncStart, hsyncEnd, htotal, hskew) = (w, w, w, w, 0)
    (vdisplay, vsyncStart, vsyncEnd, vtotal, vscan) = (h, h, h, h, 0)
    vrefresh = UInt32(clamping: (refreshMilliHertz + 500) / 1000)
    (flags, type) = (0, isPreferred ? 1 << 3 : 0)
  }
}
