#if DEBUG
  import CLinux

  /// The target that PARAPH_FUZZ names.
  private let chosen: FuzzTarget = {
    let name = getenv("PARAPH_FUZZ").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.named(name) else {
      preconditionFailure("PARAPH_FUZZ names no target: \(FuzzTarget.all.map { $0.name })")
    }
    return target
  }()

  /// What libFuzzer calls with each input.
  @_cdecl("LLVMFuzzerTestOneInput") func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32
  {
    if let fault = chosen.run(Array(UnsafeBufferPointer(start: start, count: count))) {
      preconditionFailure("\(chosen.name): \(fault)")
    }
    return 0
  }
#endif
