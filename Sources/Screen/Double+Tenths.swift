extension Double {
  /// One decimal, as "4.5". Rounds down, so that a value below a limit never prints as the limit.
  var inTenths: String {
    let tenths = Int(self * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
