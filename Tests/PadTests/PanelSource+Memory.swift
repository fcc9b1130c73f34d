import Display
import Synchronization

@testable import Pad

/// Opened by a test when a panel is to be there.
final class Door: Sendable {
  private let state = Atomic(false)
  var isOpen: Bool { state.load(ordering: .relaxed) }
  func open() { state.store(true, ordering: .relaxed) }
}

extension PanelSource {
  static func memory(_ options: MemoryPanelOptions = RunningLoop.panel) -> PanelSource {
    PanelSource { () throws(DisplayError) in try Panel(options) }
  }

  /// A panel that is there once the door is open.
  static func memory(
    _ options: MemoryPanelOptions = RunningLoop.panel, behind door: Door
  ) -> PanelSource {
    PanelSource { () throws(DisplayError) in
      guard door.isOpen else { throw .noCard }
      return try Panel(options)
    }
  }

  /// A panel in whose place another one is connected at the first check, once the door is open.
  static func replaced(by options: MemoryPanelOptions, behind door: Door) -> PanelSource {
    let next = memory(options, behind: door)
    let isFirst = Flag()
    return PanelSource { () throws(DisplayError) in
      if !isFirst.take() { return try next.open() }
      var first = RunningLoop.panel
      first.checks = 1
      return try Panel(first)
    }
  }

  /// True once.
  private final class Flag: Sendable {
    private let isSet = Atomic(true)
    func take() -> Bool { isSet.exchange(false, ordering: .relaxed) }
  }
}
