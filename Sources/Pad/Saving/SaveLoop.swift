public import Configuration
internal import Linux
internal import Seal
internal import SealClient
public import Spool
internal import Touch

/// The save thread: writes signatures and the journal, and checks whether the spool takes signatures.
///
/// The render thread never waits for it.
final class SaveLoop: Sendable {
  private let messages: Mailbox<SaveMessage>
  private let render: Mailbox<RenderMessage>
  private let main: Mailbox<MainMessage>
  /// The ink, from the render thread.
  private let ink: ContactRing
  private let files: SignatureFiles
  private let sealing: Sealing
  private let signing: Signing
  private let program: SealProgram
  private let spoolPath: String
  private let limits: SpoolLimits
  private let picturePath: String?
  private let runtimeDirectory: String?
  /// The recovered state, for the journal.
  private let recovered: RecoveredState
  /// Why signatures on the first panel are too large to be saved.
  private let sizeProblem: String?

  /// How often ink is fetched for clients that watch a stroke: a frame of 60 Hz and this are below 30 ms.
  private static let mirrorMilliseconds: Int32 = 10

  /// - Parameters:
  ///   - sizeProblem: Why signatures on the panel are too large to be saved; nil: they are not.
  ///   - program: paraph-seal; nil: that of the configuration.
  init(
    _ configuration: PadConfiguration, files: SignatureFiles, ink: ContactRing,
    recovered: RecoveredState, sizeProblem: String? = nil,
    runtimeDirectory: String? = Process.runtimeDirectory, program: SealProgram? = nil,
    messages: Mailbox<SaveMessage>, render: Mailbox<RenderMessage>, main: Mailbox<MainMessage>
  ) {
    self.sizeProblem = sizeProblem
    self.messages = messages
    self.render = render
    self.main = main
    self.ink = ink
    self.recovered = recovered
    self.files = files
    self.runtimeDirectory = runtimeDirectory
    sealing = Sealing(configuration.seal, program: program, runtimeDirectory: runtimeDirectory)
    signing = Signing(configuration, program: program, runtimeDirectory: runtimeDirectory)
    self.program = program ?? SealProgram(configuration.seal.service, key: configuration.sign.key)
    spoolPath = configuration.spool.path
    limits = SpoolLimits(configuration.spool)
    picturePath = configuration.display.picture
  }

  /// Runs until `.stop`.
  func run() {
    // Encoding a picture takes several frames: with one processor, ink would wait.
    Thread.becomeOrdinary()
    var work = begin()
    var poll = Poll()
    poll.add(messages.number)
    let inkPlace = poll.add(ink.number)
    while true {
      let limit = work.milliseconds
      // The render thread sends ink in batches: while clients watch a stroke, it is fetched sooner.
      let isAwaited = work.isInkAwaited
      let isReady =
        (try? poll.wait(milliseconds: isAwaited ? SaveLoop.mirrorMilliseconds : limit)) ?? false
      // A hundred times a second is too often to look at the spool.
      if isReady || !isAwaited { work.retry() }
      let hasInk = poll.isReadable(inkPlace) || isAwaited
      guard work.perform(messages.takeAll(), hasInk: hasInk) else { return }
    }
  }

  /// Begins the thread's work: opens the journal, and looks at the spool.
  func begin() -> SaveWork {
    // Before the drafts of a crash are removed, to which the journal may refer.
    let path = sealing.allowsJournal ? runtimeDirectory : nil
    if path == nil, let runtimeDirectory {
      // Ink of a start without sealing, too.
      InkJournal.forget(in: runtimeDirectory)
      main.post(.journalLost)
    }
    let journal = JournalWriter(recovered, in: path, main: main)
    let service = SpoolService(
      limits: limits, sealing: sealing, signing: signing,
      exchange: SealExchange(with: program), sizeProblem: sizeProblem, render: render, main: main)
    return SaveWork(
      Publisher(at: spoolPath), service, journal, files, picture: picturePath, ink: ink,
      render: render, main: main)
  }
}

extension SpoolLimits {
  /// The limits of the configuration.
  public init(_ configuration: SpoolConfiguration) {
    self.init(
      minimumFree: configuration.minimumFree, maximumItems: configuration.maximumItems,
      maximumBytes: configuration.maximumBytes)
  }
}
