internal import Control
internal import Display
internal import Ink
internal import Raster
internal import Screen
internal import Touch

/// What the render thread is told besides contacts.
enum RenderMessage: Sendable {
  /// The signature is durably in the spool.
  case saved
  /// It could not be saved.
  case notSaved
  /// There is room for signatures, or there is none.
  case service(available: Bool)
  /// The pad's own words, and those of what is open.
  case setWords(Scene, [PadRequest])
  /// A program asks for a signature.
  case ask(PadRequest)
  /// A program shows a message.
  case show(PadRequest)
  /// A program ends what it has asked for.
  case withdraw(Int64)
  /// Say how fast ink is.
  case measure
  /// Another virtual terminal is to be shown: give the card up, and say so.
  case leave
  /// The pad's terminal is shown again.
  case comeBack
  /// Answer that the thread is alive.
  case heartbeat
  /// End, and put the former picture back.
  case stop
}

/// What the save thread is asked for.
enum SaveMessage: Sendable {
  /// The pad is on a panel of this name: what is published from now on was signed there.
  case panel(String)
  /// Publish a signature.
  case publish(FinishedSignature)
  /// Keep what the memory panel showed when *Done* was pressed.
  case keep(PanelPicture)
  /// Why no signature can be saved on the panel that is lit now; nil: each can.
  case sizeProblem(String?)
  /// Look whether there is room for signatures, and answer that the thread is alive.
  case heartbeat
  /// Answer when all that was asked for before is done.
  case settle
  /// The request that is open, for the journal.
  case noteRequest(JournaledRequest?)
  /// Who asked for the signature of this id has it.
  case forgetSigned(String)
  /// Tell what the ink does as it is drawn, or no more.
  case watchInk(Bool)
  /// End after what was asked for before.
  case stop
}

/// What the threads tell the main one.
enum MainMessage: Sendable {
  /// The panel is open.
  case lit(PanelFacts)
  /// The same panel is lit by another card, or by the one that was gone.
  case moved(PanelFacts)
  /// Its first picture stands, or is on its way with the next flip; CLOCK_MONOTONIC.
  case shown(at: Int64)
  /// There is no panel yet, or no more; why.
  case waiting(line: String)
  /// The card was given up for another terminal.
  case left
  /// The render thread has ended, with a line that says why unless it was asked to.
  case renderEnded(reason: String?)
  /// The panel has gone dark because nobody signs, or is woken.
  case blanked(Bool)
  /// The pad wants its touchscreen for itself, or releases it while it is not visible.
  case grabsTouch(Bool)
  /// The render thread is alive.
  case renderAlive
  /// The save thread is alive.
  case saveAlive
  /// The save thread has done what was asked for before `settle`.
  case settled
  /// The journal cannot be written: nothing is kept for the next start.
  case journalLost
  /// The input devices that there are.
  case surveyed([PadInfo.Touchscreen])
  /// What programs are to be told.
  case told([ControlEvent])
  /// How fast ink is; nil before anybody has signed.
  case measured(PadInfo.Latency?)
  /// A signature is in the spool; the request that it answers.
  case published(SavedSignature, request: Int64?)
  /// What the ink did since the last time, while it is watched.
  case ink([ControlEvent.InkStep])
  /// There is room for signatures, or why there is not.
  case room(reason: String?)
  /// What the input thread has to tell.
  case input(InputNotice)
  /// The input thread has ended without having been asked to.
  case inputEnded(reason: String)
}

/// What the rest of the pad has to know about the panel.
struct PanelFacts: Sendable {
  /// Pixels of the upright canvas.
  let width: Int, height: Int
  /// Pixels per millimetre.
  let scale: Scale
  /// How far the picture is turned clockwise to lie in the scan-out, in quarters.
  let quarterTurns: Int
  /// The connector's name; nil of a panel in memory.
  let connector: String?
  /// For logs and manifests.
  let name: String
  /// For the log: card, mode, format, and how it is driven.
  let summary: String

  /// The visible glass, in millimetres.
  var glass: Point { screen.glass }

  /// Its size and pixels.
  var screen: ScreenGeometry { ScreenGeometry(width: width, height: height, scale: scale) }

  /// What tells which touchscreen lies on it; nil of a panel in memory.
  var location: PanelLocation? {
    connector.map { PanelLocation(connector: $0, width: glass.x, height: glass.y) }
  }
}
