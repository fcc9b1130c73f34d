import Linux

extension FileStatus {
  /// Whether there is nothing at a path; what may not be looked at is there.
  static func isMissing(_ path: String) -> Bool {
    do throws(SystemError) {
      _ = try FileStatus(of: path)
      return false
    } catch { return error.errno == .notThere }
  }
}
