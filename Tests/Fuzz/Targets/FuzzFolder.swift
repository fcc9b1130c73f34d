#if DEBUG
  import CLinux
  import Linux

  /// A folder in memory, for parsers that read paths.
  struct FuzzFolder: Sendable {
    let path: String

    /// That of this process.
    static let shared = FuzzFolder()

    private init() {
      path = "/dev/shm/paraph-fuzz-\(getpid())"
      for name in [
        "", "/drm", "/drm/card0", "/drm/card0-HDMI-A-1", "/backlight", "/backlight/panel",
      ] {
        mkdir(path + name, 0o700)
      }
      atexit {
        let path = "/dev/shm/paraph-fuzz-\(getpid())"
        for name in [
          "/drm/card0-HDMI-A-1/status", "/drm/card0-HDMI-A-1/modes", "/drm/card0-HDMI-A-1/edid",
          "/backlight/panel/max_brightness", "/backlight/panel/bl_power",
        ] { unlink(path + name) }
        for name in [
          "/drm/card0-HDMI-A-1", "/drm/card0", "/drm", "/backlight/panel", "/backlight", "",
        ] {
          rmdir(path + name)
        }
      }
    }

    func write(_ name: String, _ bytes: [UInt8]) {
      let file = try? FileDescriptor(
        opening: path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
      if let file { try? file.writeAll(bytes) }
    }
  }
#endif
