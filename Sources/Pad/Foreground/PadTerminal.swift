internal import CLinux
internal import Configuration
internal import Control
internal import Display
internal import Linux

/// The pad's virtual terminal: performs what `Foreground` decides. Belongs to the main thread.
final class PadTerminal {
  /// The result of an input for the clients.
  enum Outcome: Equatable {
    case none
    /// The pad is in front.
    case front
    /// The pad is not in front, for this reason.
    case refused(String)
  }

  /// The signals of the console (VT_PROCESS): the kernel asks for the terminal, or gives it back.
  static let releaseSignal = SIGUSR1
  static let acquireSignal = SIGUSR2

  private let console: Console?
  /// The number of the pad's terminal.
  private let own: Int?
  private var foreground: Foreground
  private var activity: PadActivity
  private let render: Mailbox<RenderMessage>
  /// The terminal that was shown before the pad's; nil: none since the start.
  private var other: Int?
  /// Whether the other terminal was in graphics mode when the pad came to the front.
  private var isOtherGraphics = false
  /// The pad itself has asked for the other terminal, not a person or a program.
  private var isReturning = false
  /// The request that waits for the front.
  private var waiting: TypesetRequest?

  /// Takes the terminal.
  ///
  /// - Parameters:
  ///   - console: Nil where there are no terminals, and the pad is always in front.
  ///   - isShared: Whether the other side has the panel while the pad does not need it.
  ///   - hasRecovered: An earlier start has left a request or ink.
  init(
    _ console: consuming Console?, isShared: Bool, hasRecovered: Bool,
    render: Mailbox<RenderMessage>
  ) {
    var (number, shown): (Int?, Int?) = (nil, nil)
    switch console {
    case .some(let console): (number, shown) = (console.number, console.shown)
    case .none: break
    }
    self.console = console
    own = number
    self.render = render
    // A terminal whose number is unknown cannot be told from others.
    let isShared = isShared && number != nil
    activity = PadActivity(isActive: hasRecovered)
    foreground = Foreground(
      isShared: isShared, isShown: !isShared || shown == number, isInUse: hasRecovered)
  }

  /// Takes the terminal on standard input, and shares it if the configuration says so.
  ///
  /// - Parameter state: What an earlier start has left.
  convenience init(
    _ configuration: PadConfiguration, _ state: RecoveredState, render: Mailbox<RenderMessage>
  ) {
    let wantsSharing = !configuration.pad.staysInFront
    let hasInk = !state.strokes.isEmpty && (state.isDone || configuration.pad.invitesAlways)
    self.init(
      PadTerminal.console(configuration), isShared: wantsSharing && Console.isOnStandardInput,
      hasRecovered: state.request.hasValue || hasInk, render: render)
    guard wantsSharing, !isShared else { return }
    StandardError.log(
      .warning,
      "config: [pad] foreground: on-request needs a virtual terminal on standard input (TTYPath= of the "
        + "service); the pad stays in front")
  }

  /// Keeps the kernel's text off the console; nil for a panel in memory, or if that fails.
  private static func console(_ configuration: PadConfiguration) -> Console? {
    guard configuration.display.card != .memory else { return nil }
    do throws(SystemError) {
      return try Console.open(releaseSignal: releaseSignal, acquireSignal: acquireSignal)
    } catch {
      StandardError.log(
        .warning, "kernel: cannot take the console: \(error.text); its text may appear on the pad")
      return nil
    }
  }

  /// Whether the other side has the panel while the pad does not need it.
  var isShared: Bool { foreground.isShared }

  /// Whether the pad's terminal is shown.
  var isFront: Bool { foreground.isFront }

  /// Whether a request or its notice is open.
  var needsPanel: Bool { activity.isActive }

  /// Whether there is a signature that is not saved yet.
  var isSigning: Bool { activity.isSigning }

  /// Which side is in front, for clients.
  var side: PadInfo.Side {
    if foreground.isFront { return .pad }
    return foreground.isBack ? .other : .neither
  }

  /// When `time(_:)` must be called; nil: never.
  var deadline: Int64? { foreground.deadline }

  // MARK: - What the pad needs

  /// Asks for the panel if an earlier start has left a request or ink.
  func start(at now: Int64) -> Outcome { perform(foreground.start(at: now), now) }

  /// Asks for the panel because a request has come, which cannot be typeset before there is one.
  func expect(_ number: Int64, at now: Int64) -> Outcome {
    activity.opened(number)
    return perform(foreground.use(activity.isActive, at: now), now)
  }

  /// Shows a request, once the pad is in front.
  func open(_ request: TypesetRequest, at now: Int64) -> Outcome {
    waiting = request
    let outcome = expect(request.number, at: now)
    if isFront || !isShared { showWaiting() }
    return outcome
  }

  private func showWaiting() {
    guard let request = waiting else { return }
    waiting = nil
    render.post(.open(request))
  }

  /// Removes and returns the number of the request that waits for the front; with a number, only that one.
  func withdrawWaiting(_ number: Int64? = nil) -> Int64? {
    guard let request = waiting, number == nil || number == request.number else { return nil }
    waiting = nil
    return request.number
  }

  /// Follows the events for clients.
  func follow(_ event: ControlEvent, at now: Int64) -> Outcome {
    activity.follow(event)
    return perform(foreground.use(activity.isActive, at: now), now)
  }

  /// Brings the pad to the front and keeps it there.
  func hold(at now: Int64) -> Outcome {
    let outcome = perform(foreground.hold(at: now), now)
    return outcome == .none && isFront ? .front : outcome
  }

  /// Returns the panel to the other side.
  ///
  /// Also during a notice, whose end then changes nothing.
  func yield(at now: Int64) -> Outcome {
    activity = PadActivity()
    return perform(foreground.yield(at: now), now)
  }

  // MARK: - What the kernel does

  /// The kernel shows the pad's terminal.
  func acquired(at now: Int64) -> Outcome {
    switch console {
    case .some(let console):
      // While a release is under way, VT_ACKACQ would count as the permission to switch.
      if !foreground.isReleasing { console.acquire() }
    case .none: return .none
    }
    // Signals do not keep their order: the terminal may have been left again.
    guard !isShared || shown == own else { return .none }
    // A person may have switched. Text mode proves nothing, because the kernel resets the terminal
    // of a dead owner to text.
    if let other, Console.isGraphics(other) == true { isOtherGraphics = true }
    return perform(foreground.acquired(at: now), now)
  }

  /// The kernel asks for the release of the pad's terminal.
  func releaseAsked(at now: Int64) -> Outcome { perform(foreground.releaseAsked(at: now), now) }

  /// Panel and touchscreen are released: permits the switch.
  func release(at now: Int64) -> Outcome {
    switch console {
    case .some(let console): console.release()
    case .none: return .none
    }
    // A signal may be older than the last switch.
    if let own, shown == own {
      isReturning = false
      return perform(foreground.kept(at: now), now)
    }
    guard isShared else { return perform(foreground.released(at: now), now) }
    let wasReturning = isReturning && isOtherGraphics
    isReturning = false
    // The kernel has switched within VT_RELDISP, and has reset the terminal of a dead owner to text.
    let isGone = wasReturning && other == shown && other.flatMap(Console.isGraphics) == false
    if let shown, shown != other {
      other = shown
      isOtherGraphics = Console.isGraphics(shown) ?? true
    }
    return perform(foreground.released(isOtherGone: isGone, at: now), now)
  }

  /// Handles what was due at `now`.
  func time(_ now: Int64) -> Outcome { perform(foreground.time(now), now) }

  /// Returns the screen to the other side at the end of the pad, whose terminal shows text afterwards.
  func end() {
    guard isShared, shown == own, let target = presentOther else { return }
    switch console {
    case .some(let console): console.leave(for: target)
    case .none: break
    }
  }

  // MARK: - Actions

  private func perform(_ action: Foreground.Action, _ now: Int64) -> Outcome {
    switch action {
    case .none: break
    case .activatePad:
      if let shown, shown != own {
        // Before the switch, which resets the terminal of a dead owner to text.
        let wasGraphics = shown == other && isOtherGraphics
        (other, isOtherGraphics) = (shown, wasGraphics || Console.isGraphics(shown) ?? true)
      }
      guard let own else { break }
      activate(own)
    case .activateOther:
      guard let target = presentOther else {
        return perform(foreground.otherIsGone(at: now), now)
      }
      if target != other { (other, isOtherGraphics) = (target, true) }
      isReturning = true
      activate(target)
    case .acquirePanel:
      render.post(.comeBack(waiting))
      waiting = nil
      return .front
    case .releasePanel: render.post(.leave)
    case .refuseSwitch:
      switch console {
      case .some(let console): console.refuse()
      case .none: break
      }
    case .refuseRequest:
      let name = other.map { "the program on tty\($0)" } ?? "the program in front"
      return .refused(
        "\(name) did not release the screen within \(Foreground.limit / 1_000_000_000) s")
    }
    return .none
  }

  private func activate(_ number: Int) {
    do throws(SystemError) {
      switch console {
      case .some(let console): try console.activate(number)
      case .none: break
      }
    } catch {
      StandardError.log(.warning, "kernel: cannot switch to tty\(number): \(error.text)")
    }
  }

  private var shown: Int? {
    switch console {
    case .some(let console): console.shown
    case .none: nil
    }
  }

  /// The terminal to return to: the one from before, unless its program has ended; else one in graphics mode.
  private var presentOther: Int? {
    let open: [Int]
    switch console {
    case .some(let console): open = console.open
    case .none: return nil
    }
    func isPresent(_ number: Int) -> Bool {
      // The kernel tells only of the first 15 whether a process has them open.
      (number > 15 || open.contains(number))
        && (!isOtherGraphics || Console.isGraphics(number) != false)
    }
    if let other, isPresent(other) { return other }
    return open.first { $0 != own && Console.isGraphics($0) == true }
  }
}
