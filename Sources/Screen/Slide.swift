internal import Configuration
public import Raster

/// A picture that fills the glass while the pad rests.
public enum Slide {
  /// Reads a PNG and scales it to fit a screen, with the ground around it.
  ///
  /// - Parameters:
  ///   - ground: 0xRRGGBB.
  ///   - read: Reads the file. The error has the path.
  public static func painted(
    _ path: String, on screen: ScreenGeometry, ground: UInt32, read: @escaping PictureReader
  ) throws(PictureReadError) -> GroundPicture {
    var painting = GroundPicture.Painting(
      width: screen.width, height: screen.height, ground: ground)
    do throws(ScreenPicture.Refusal) {
      try ScreenPicture(slide: path, read).paint(on: &painting) {
        ThemeConfiguration.PictureFit.fit.placement(of: $0, on: screen)
      }
    } catch { throw PictureReadError(error.reason) }
    return GroundPicture(painting)
  }
}
