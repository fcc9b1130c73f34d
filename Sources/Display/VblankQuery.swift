internal import CLinux
internal import Linux

/// Whether a driver can be asked for its last vblank (DRM_IOCTL_CRTC_GET_SEQUENCE).
struct VblankQuery {
  private(set) var isSupported = true

  init() {}

  /// The call failed. EINVAL only means that the CRTC is off for the moment (drm_vblank.c,
  /// drm_crtc_get_sequence_ioctl); a driver without vblanks answers EOPNOTSUPP, and a kernel before 4.15, which
  /// does not have the call, EINVAL as well: asking that one again costs a microsecond.
  mutating func failed(_ errno: Errno) {
    if [EOPNOTSUPP, ENOTTY, ENOSYS].contains(errno.rawValue) { isSupported = false }
  }
}
