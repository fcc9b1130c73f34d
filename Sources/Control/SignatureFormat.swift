/// What a reply carries of a signature. The raw value is the name in the interface.
public enum SignatureFormat: String, Sendable {
  /// The file that is in the spool.
  case png
  /// The outlines of the ink.
  case svg
  /// The samples, as W3C Ink Markup Language.
  case inkml
  /// The samples, as values of the interface.
  case strokes
}
