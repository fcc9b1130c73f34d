import Glibc

/// Google's slow deflate: how small a PNG can be.
enum Zopfli {
  /// Bytes of a PNG when `zopflipng` has done its work; nil if it is not there.
  static func size(of file: [UInt8]) -> Int? {
    var name = Array("/tmp/paraph-bench-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { return nil }
    let folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let (from, to) = (folder + "/a.png", folder + "/b.png")
    defer {
      unlink(from)
      unlink(to)
      rmdir(folder)
    }
    guard let output = fopen(from, "wb") else { return nil }
    fwrite(file, 1, file.count, output)
    fclose(output)
    guard system("zopflipng -y \(from) \(to) >/dev/null 2>&1") == 0 else { return nil }
    var status = stat()
    guard stat(to, &status) == 0 else { return nil }
    return Int(status.st_size)
  }
}
