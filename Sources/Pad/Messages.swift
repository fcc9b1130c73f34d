internal import Control
internal import Display
internal import Ink
internal import Raster
internal import Screen
internal import Touch

/// A message to the render thread.
enum RenderMessage: Sendable {
  /// The signature is in the spool.
  case saved
  /// Saving the signature failed.
  case notSaved
  /// The spool takes signatures, or it does not.
  case service(available: Bool)
  /// The resting scene for the panel, and the open request with its scene.
  case setScenes(Scene, TypesetRequest?)
  /// The resting scene with other notes.
  case setResting(Scene)
  /// The picture that the idle pad shows; nil: none.
  case setSlide(GroundPicture?)
  /// Open a request.
  case open(TypesetRequest)
  /// A page of the document of the request that has this scene, from 0.
  case sheet(Scene, page: Int, Sheet)
  /// End a request of a client.
  case withdraw(Int64, by: ControlEvent.Canceller = .program)
  /// End a request for this client if it has no ink.
  case withdrawWithoutInk(Int64, client: Int)
  /// Press a button for the person, and answer the client by `.told`.
  case press(Button, Int)
  /// Clients watch the ink, or they do not any more.
  case setMirrored(Bool)
  /// Release the card, and answer `.left`: another virtual terminal is to be shown.
  case leave
  /// The pad's virtual terminal is shown again; open the request, so that the first frame has it.
  case comeBack(TypesetRequest?)
  /// Answer `.renderAlive`.
  case heartbeat
  /// Take a screenshot. `allowsInk`: also while there is ink on the glass.
  case takeScreenshot(allowsInk: Bool)
  /// Restore the former picture and end.
  case stop
}

/// A message to the save thread.
enum SaveMessage: Sendable {
  /// The name of the panel, for the manifests of the next signatures.
  case panel(String)
  /// The name of the touchscreen, for the manifests of the next signatures; nil: none is in use.
  case touchscreen(String?)
  /// Publish a signature.
  case publish(FinishedSignature)
  /// Write the picture of the memory panel at *Done* to a file.
  case keep(PanelPicture)
  /// Encode a screenshot, and answer `.told`.
  case encode(PanelPicture)
  /// Why signatures on this panel are too large to be saved; nil: they are not.
  case sizeProblem(String?)
  /// Check whether the spool takes signatures, and answer `.saveAlive`.
  case heartbeat
  /// Answer `.settled` when all earlier messages are done.
  case settle
  /// Record the open request in the journal; nil: none is open.
  case recordRequest(PadRequest?)
  /// Delete the journal's copy of this signature: its client has read it.
  case forgetSigned(String)
  /// Start or stop sending `.ink` messages.
  case watchInk(Bool)
  /// Read the certificates again, the recipients' from these files.
  case recipients([String])
  /// End when all earlier messages are done.
  case stop

  /// Merges repeated messages. Keeps only the last heartbeat, and only the last change of
  /// recipients before each signature: several may have arrived while the thread was busy, and each
  /// may take as long as paraph-seal is allowed to.
  static func merged(_ messages: [SaveMessage]) -> [SaveMessage] {
    var (hasBeat, hasChange) = (false, false)
    var kept: [SaveMessage] = []
    for message in messages.reversed() {
      switch message {
      case .heartbeat:
        if hasBeat { continue }
        hasBeat = true
      case .recipients:
        if hasChange { continue }
        hasChange = true
      case .publish: hasChange = false
      default: break
      }
      kept.append(message)
    }
    return kept.reversed()
  }

  /// The first request that these messages record, before they publish anything; nil: none.
  static func firstRequest(in messages: [SaveMessage]) -> PadRequest? {
    for message in messages {
      switch message {
      case .recordRequest(let request?): return request
      case .publish: return nil
      default: break
      }
    }
    return nil
  }

  /// The record that is missing if the message came after the save thread's end; nil: none.
  var journalRecord: JournalRecord? {
    switch self {
    case .forgetSigned(let id): .read(id)
    case .recordRequest(nil): .request(nil)
    default: nil
    }
  }
}

/// A message to the main thread.
enum MainMessage: Sendable {
  /// The panel was opened.
  case lit(PanelFacts)
  /// Another card shows the same panel, or the same card again.
  case moved(PanelFacts)
  /// The first frame is shown, or with the next flip; CLOCK_MONOTONIC.
  case shown(at: Int64)
  /// There is no panel; the line for the log says why.
  case waiting(line: String)
  /// The first frame on the pad's virtual terminal, which was not shown before, is shown; CLOCK_MONOTONIC.
  case inFront(at: Int64)
  /// The card was released for another virtual terminal.
  case left
  /// The render thread has ended. The reason is nil if it was stopped.
  case renderEnded(reason: String?)
  /// The panel was blanked because the pad is unused, or unblanked.
  case blanked(Bool)
  /// Grab the touchscreen, or release it while the pad is hidden.
  case grabsTouch(Bool)
  /// The render thread's answer to `.heartbeat`.
  case renderAlive
  /// The save thread's answer to `.heartbeat`.
  case saveAlive
  /// The save thread's answer to `.settle`.
  case settled
  /// Writing the journal failed: the next start cannot restore anything.
  case journalLost
  /// A journal that was lost is written again: the next start can restore what it has.
  case journalReturned
  /// The list of input devices.
  case surveyed([PadInfo.Touchscreen])
  /// The next picture of the slides.
  case slide(SlideShow.Answer)
  /// Prepare these pages of the document of the request that has this scene, from 0, and answer by `.sheet`. `read` is the
  /// page on the panel.
  case pagesWanted(Scene, [Int], read: Int)
  /// A page of a document is prepared.
  case sheet(RequestDocuments.Answer)
  /// Events of the session for clients.
  case told([ControlEvent])
  /// The latency on this panel; nil before the first stroke.
  case measured(PadInfo.Latency?)
  /// A signature is in the spool; `request` is what it answers.
  case published(SavedSignature, request: Int64?)
  /// Ink drawn since the last message, while clients watch it.
  case ink([ControlEvent.InkStep])
  /// Why the spool takes no signatures; nil: it does.
  case room(reason: String?)
  /// A message of the input thread.
  case input(InputNotice)
  /// The input thread has failed.
  case inputEnded(reason: String)
}

/// The facts about the panel that other threads need.
struct PanelFacts: Sendable {
  /// The size of the upright canvas, in pixels.
  let width: Int, height: Int
  /// Pixels per millimetre.
  let scale: Scale
  /// The clockwise rotation of the picture in the scan-out buffer, in quarter turns.
  let quarterTurns: Int
  /// The name of the connector; nil for a panel in memory.
  let connector: String?
  /// The name in logs and manifests.
  let name: String
  /// Card, mode, format and commit method, for the log.
  let summary: String

  /// The size of the visible glass, in millimetres.
  var glass: Point { screen.glass }

  /// The size and resolution.
  var screen: ScreenGeometry { ScreenGeometry(width: width, height: height, scale: scale) }

  /// The place by which a touchscreen is matched to the panel; nil for a panel in memory.
  var location: PanelLocation? {
    connector.map { PanelLocation(connector: $0, width: glass.x, height: glass.y) }
  }
}

extension PanelFacts {
  init(_ panel: borrowing Panel) {
    self.init(
      width: panel.width, height: panel.height, scale: panel.scale,
      quarterTurns: panel.geometry.rotation.quarterTurns, connector: panel.connector,
      name: panel.name, summary: panel.summary)
  }
}
