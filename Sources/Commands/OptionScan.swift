internal import CLinux
internal import Linux

/// The options and operands of one command line, told apart by getopt_long(3).
///
/// Not thread-safe: getopt_long has global state.
struct OptionScan {
  /// The options in order: their places in the list, and their values.
  private(set) var options: [(index: Int, value: String?)] = []
  private(set) var operands: [String] = []

  /// - Parameter stopsAtOperand: Whether the first operand is a subcommand, to which the following
  ///   words belong.
  init(_ words: [String], _ known: [Option], stopsAtOperand: Bool, _ command: [String])
    throws(UsageError)
  {
    // getopt_long skips the program's name.
    let arguments = CStrings([""] + words)
    let names = CStrings(known.map { $0.name })
    // "-" returns an operand as an option with the code 1. Otherwise POSIXLY_CORRECT would end the
    // options at the first operand.
    var letters = stopsAtOperand ? "+:" : "-:"
    var table = unsafe [CLinux.option]()
    for (index, option) in known.enumerated() {
      let takesValue = option.value != nil
      unsafe table.append(
        CLinux.option(
          name: names.pointers[index], has_arg: takesValue ? required_argument : no_argument,
          flag: nil, val: Self.firstLong + Int32(index)))
      guard let short = option.short else { continue }
      letters.unicodeScalars.append(short)
      if takesValue { letters += ":" }
    }
    unsafe table.append(CLinux.option())
    CLinux_restartOptions()
    let count = Int32(words.count + 1)
    while true {
      let result = unsafe CLinux_nextOption(count, arguments.pointers, letters, table)
      if result == -1 { break }
      if result == 1 {
        if let word = unsafe CLinux_optionValue() { operands.append(unsafe String(cString: word)) }
        continue
      }
      guard let index = Self.index(of: result, known) else {
        throw UsageError(command, Self.problem(result, words: arguments, known))
      }
      let value = unsafe CLinux_optionValue().map { unsafe String(cString: $0) }
      options.append((index, known[index].value == nil ? nil : value))
    }
    for place in Int(CLinux_firstOperand())..<max(Int(count), Int(CLinux_firstOperand())) {
      guard let word = unsafe arguments.pointers[place] else { break }
      operands.append(unsafe String(cString: word))
    }
  }

  /// Above all letters.
  private static let firstLong: Int32 = 256

  private static func index(of result: Int32, _ known: [Option]) -> Int? {
    if result >= firstLong {
      let index = Int(result - firstLong)
      return known.indices.contains(index) ? index : nil
    }
    return known.firstIndex { $0.short.map { Int32(bitPattern: $0.value) } == result }
  }

  private static func problem(_ result: Int32, words: CStrings, _ known: [Option]) -> String {
    let subject = CLinux_wrongOption()
    if subject != 0 {
      let index = index(of: subject, known)
      let letter = String(decoding: [UInt8(truncatingIfNeeded: subject)], as: UTF8.self)
      let name = subject >= firstLong ? index.map { "--\(known[$0].name)" } : "-\(letter)"
      guard index != nil else { return "unknown option '\(name ?? "")'" }
      return "option '\(name ?? "")' " + (result == 0x3A ? "needs a value" : "takes no value")
    }
    // The word before the next one, up to its "=".
    guard let word = unsafe words.pointers[Int(CLinux_firstOperand()) - 1] else { return "" }
    let option = unsafe String(cString: word).utf8.prefix { $0 != UInt8(ascii: "=") }
    let name = String(decoding: option, as: UTF8.self)
    let options = known.map { "--\($0.name)" }
    let begun = options.filter { $0.utf8.starts(with: name.utf8) }
    if begun.count > 1 {
      return "option '\(name)' is ambiguous: "
        + begun.map { "'\($0)'" }.joined(separator: " or ")
    }
    return "unknown option '\(name)'" + Suggestion.text(name, options)
  }
}
