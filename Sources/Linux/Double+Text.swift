internal import CLinux

extension Double {
  /// The nearest number of so many decimal digits, at most 17, as printf(3)'s %g has it: "2", "1.5", "1e+20".
  /// The point is one in every locale, as nobody calls setlocale(3). libc is there anyway; what Swift prints numbers
  /// with is 7 kB of every program.
  public func text(digits: Int32) -> String {
    // A sign, the digits, a point and an exponent of three.
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
      guard let start = text.baseAddress else { return "" }
      unsafe CLinux_writeNumber(start, text.count, digits, self)
      return unsafe String(cString: start)
    }
  }
}
