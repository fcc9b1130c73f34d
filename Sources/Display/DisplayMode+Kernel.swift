internal import CLibdrm

extension DisplayMode {
  /// As libdrm lists it.
  init(_ info: drmModeModeInfo) {
    self.init(width: 0, height: 0, refreshMilliHertz: 0)
    clock = info.clock
    (hdisplay, hsyncStart, hsyncEnd) = (info.hdisplay, info.hsync_start, info.hsync_end)
    (htotal, hskew) = (info.htotal, info.hskew)
    (vdisplay, vsyncStart, vsyncEnd) = (info.vdisplay, info.vsync_start, info.vsync_end)
    (vtotal, vscan) = (info.vtotal, info.vscan)
    (vrefresh, flags, type) = (info.vrefresh, info.flags, info.type)
  }

  /// As SETCRTC and the property MODE_ID take it.
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
