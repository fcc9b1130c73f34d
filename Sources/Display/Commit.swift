internal import Raster

/// The two ways to change what a CRTC shows.
enum Commit {
  /// All at once, tested before, told of damage.
  case atomic(AtomicCommit)
  /// SETCRTC and PAGE_FLIP.
  case legacy(LegacyCommit)

  /// Shows a framebuffer in the route's mode: what a former user may have left behind is undone with
  /// it. Blocks until it is so.
  func light(_ framebuffer: UInt32) throws(DisplayError) {
    switch self {
    case .atomic(let commit): try commit.light(framebuffer)
    case .legacy(let commit): try commit.light(framebuffer)
    }
  }

  /// Shows a framebuffer from the next vblank on, of which `damage` changed. An event with `serial`
  /// tells when. Never blocks.
  func flip(
    to framebuffer: UInt32, damage: PixelRegion, serial: UInt64
  ) throws(DisplayError) -> FlipOutcome {
    do {
      switch self {
      case .atomic(let commit): try commit.flip(to: framebuffer, damage: damage, serial: serial)
      case .legacy(let commit): try commit.flip(to: framebuffer, serial: serial)
      }
      return .accepted
    } catch {
      if error.isBusy { return .busy }
      throw error
    }
  }

  /// Switches the panel's light and signal off, until `light`.
  func darken() throws(DisplayError) {
    switch self {
    case .atomic(let commit): try commit.darken()
    case .legacy(let commit): try commit.darken()
    }
  }
}

/// What became of a flip.
enum FlipOutcome {
  /// An event will come.
  case accepted
  /// An older commit is not done yet (EBUSY).
  case busy
}
