/// Pictures to PNG and back, through libpng: one `encode` and one `decode`.
public enum PNGFile {
  /// More pixels than this are not read unless the caller says so: 64 megapixels.
  public static let pixelLimit = 1 << 26
}
