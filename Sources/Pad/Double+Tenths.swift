extension Double {
  /// "4.5", rounded down, so that nothing below a limit is called the limit.
  var inTenths: String {
    let tenths = Int(self * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
