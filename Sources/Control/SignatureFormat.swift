/// What a reply carries of a signature.
enum SignatureFormat: String {
  case png
  case svg
  case inkml
  case strokes
}
