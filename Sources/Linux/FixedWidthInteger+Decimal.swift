extension FixedWidthInteger {
  /// Decimal digits with an optional minus; nil for anything else, or where it is too large. What the library reads
  /// numbers with takes every radix and every integer's own code.
  public init?(decimal text: String) {
    guard let number = wholeNumber(text) else { return nil }
    self.init(exactly: number)
  }
}

/// For integers of every size.
@inline(never)
private func wholeNumber(_ text: String) -> Int64? {
  var digits = Array(text.utf8)[...]
  let isNegative = digits.first == UInt8(ascii: "-")
  if isNegative { digits = digits.dropFirst() }
  if digits.isEmpty { return nil }
  var number: Int64 = 0
  for digit in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
    let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
    let (next, overflow2) = tens.addingReportingOverflow(Int64(digit) - 48)
    if overflow || overflow2 { return nil }
    number = next
  }
  return isNegative ? -number : number
}
