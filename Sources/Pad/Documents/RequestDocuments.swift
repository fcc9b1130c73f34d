internal import Control
internal import Linux
internal import Raster
internal import Screen
internal import Spool

/// The document of the open request: its upload, and its pages as the panel shows them. Belongs to the main thread.
///
/// Each picture is decoded and scaled on a thread of its own, which then ends: that may take half a second on a board.
final class RequestDocuments {
  private let store: DocumentStore
  private let main: Mailbox<MainMessage>
  private let render: Mailbox<RenderMessage>
  /// The text of the open request's document.
  private var text: String?
  /// The pictures to prepare, the next one first.
  private var orders: [Order] = []
  /// The picture that the thread prepares.
  private var preparing: Order?
  /// The page whose size the store counts, from 0.
  private var read: Int?
  /// The scene of the open request whose pages are prepared; nil: none.
  private var scene: Scene?

  /// A picture to prepare.
  private struct Order: Sendable {
    let scene: Scene
    let page: Int
    /// The upload's folder.
    let folder: Int
    let width: Int
    /// Whether it is the page that is read, not one beside it.
    let isRead: Bool
  }

  /// The answer of the thread.
  struct Answer: Sendable {
    /// The request's scene.
    let scene: Scene
    /// The page, from 0.
    let page: Int
    /// The page, or why it cannot be shown.
    let result: Result<Sheet, DocumentProblem>
    /// There was too little memory for it beside the documents of all clients.
    var lacksRoom = false
  }

  init(
    in runtime: String?, keeping upload: DocumentUpload?, main: Mailbox<MainMessage>,
    render: Mailbox<RenderMessage>
  ) {
    store = DocumentStore(in: runtime, keeping: upload)
    self.main = main
    self.render = render
  }

  /// When `expire(at:)` must be called; nil: never.
  var deadline: Int64? { store.deadline }

  /// Discards the documents that nobody has asked a signature for.
  func expire(at now: Int64) { store.expire(at: now) }

  /// Keeps a part of a page; returns why it cannot.
  func put(_ part: PagePart, at now: Int64) -> DocumentProblem? {
    do throws(DocumentProblem) {
      try store.put(part, at: now)
      return nil
    } catch { return error }
  }

  /// Discards the document of a client.
  func discard(client: Int) { store.discard(client: client) }

  /// Takes the document of a request that is opened; returns why it cannot be shown.
  func open(_ request: inout PadRequest) -> DocumentProblem? {
    guard let document = request.document else { return nil }
    do throws(DocumentProblem) {
      let upload = try store.take(document)
      request.document?.upload = upload
      text = upload.pages == nil ? try store.text(of: upload) : nil
      return nil
    } catch {
      end()
      return error
    }
  }

  /// Reads the document of a request that was open in an earlier start; returns whether it is there.
  func restore(_ request: PadRequest) -> Bool {
    guard let document = request.document else { return true }
    guard let upload = document.upload, store.has(upload) else { return false }
    if upload.pages == nil { text = try? store.text(of: upload) }
    return upload.pages != nil || text != nil
  }

  /// Discards the document of the request that has ended.
  func end() {
    store.endRequest()
    text = nil
    orders = []
    (read, scene) = (nil, nil)
  }

  /// What the open request shows before signing.
  func content(of request: PadRequest) -> DocumentContent? {
    guard let upload = request.document?.upload else { return nil }
    return DocumentContent(upload, text: text ?? "")
  }

  /// Why the scene of the open request does not show all of its document; nil: it does.
  func problem(of scene: Scene) -> DocumentProblem? {
    guard let text, let reading = scene.reading else { return nil }
    if reading.isTooMixed { return DocumentText.tooMixed }
    // The manifest lists all pages, up to this limit.
    let limit = ShownDocument.pageLimit
    if reading.pages.count > limit {
      return DocumentProblem(page: 1, "the text takes more than \(limit) pages on this panel")
    }
    guard !reading.shows(text) else { return nil }
    return DocumentProblem(page: 1, "the text has characters that the pad cannot show")
  }

  // MARK: - Pages

  /// Prepares pages of a scene, the first one first. Render receives each as `.sheet`.
  ///
  /// - Parameter read: The index of the page on the panel.
  func prepare(
    _ pages: [Int], read: Int, of scene: Scene, for request: PadRequest, on screen: ScreenGeometry,
    by builder: SceneBuilder?
  ) {
    guard let upload = request.document?.upload, let reading = scene.reading else { return }
    self.scene = scene
    // Other pages are of no use any more.
    orders = []
    // A large page is not kept beside another one.
    if self.read != read { show(read, size: 0) }
    for page in pages where !isPreparing(page, of: scene, isRead: page == read) {
      if let sheet = builder?.sheet(of: page, in: scene) {
        render.post(.sheet(scene, page: page, sheet))
      } else if upload.pages != nil {
        let area = reading.pixels(screen.scale, width: screen.width, height: screen.height)
        orders.append(
          Order(
            scene: scene, page: page, folder: upload.folder, width: area.width,
            isRead: page == read))
      }
    }
    prepareNext()
  }

  private func show(_ page: Int, size: Int) {
    read = page
    store.show(size)
  }

  /// Whether the thread prepares this page for the same use. A page beside the current one has a
  /// lower size limit.
  private func isPreparing(_ page: Int, of scene: Scene, isRead: Bool) -> Bool {
    guard let preparing else { return false }
    return preparing.page == page && preparing.scene === scene && (preparing.isRead || !isRead)
  }

  private func prepareNext() {
    guard preparing == nil, let order = orders.first else { return }
    orders.removeFirst()
    preparing = order
    let main = main
    func answer(_ result: Result<Sheet, DocumentProblem>) {
      main.post(.sheet(Answer(scene: order.scene, page: order.page, result: result)))
    }
    // Counts crashes, because the next start prepares the page of an open request again.
    var crashes = crashes(of: order)
    guard !crashes.isExhausted else {
      let reason = "preparing it has crashed the pad \(crashes.count) times"
      return answer(.failure(DocumentProblem(page: order.page + 1, reason)))
    }
    crashes.begin()
    let (file, attempt) = (store.file(order.page + 1, in: order.folder), crashes)
    // A page beside the one that is read is dropped if it takes more.
    let limit = order.isRead ? store.room : min(store.room, DocumentSheets.sizeLimit)
    do throws(Errno) {
      try Thread(name: "paraph-page") {
        Thread.becomeOrdinary()
        let answer = RequestDocuments.answer(order, file, limit: limit)
        var crashes = attempt
        crashes.clear()
        // Returns the decoder's small blocks to the kernel: up to a megabyte.
        Process.trimMemory()
        main.post(.sheet(answer))
      }.detach()
    } catch {
      crashes.clear()
      answer(.failure(DocumentProblem(page: order.page + 1, error.text)))
    }
  }

  private func crashes(of order: Order) -> CrashCounter {
    store.crashes(of: order.page + 1, in: order.folder)
  }

  /// Clears the crash count of the current page at the program's end: it has not crashed.
  func stop() {
    orders = []
    guard let order = preparing else { return }
    var crashes = crashes(of: order)
    crashes.clear()
  }

  private static func answer(_ order: Order, _ path: String, limit: Int) -> Answer {
    func failed(_ reason: String, lacksRoom: Bool = false) -> Answer {
      Answer(
        scene: order.scene, page: order.page,
        result: .failure(DocumentProblem(page: order.page + 1, reason)), lacksRoom: lacksRoom)
    }
    let file: [UInt8]
    do throws(PictureReadError) {
      file = try PictureFile.read(path, limit: RequestDocument.sizeLimit)
    } catch { return failed(error.reason) }
    do throws(PagePicture.PageError) {
      let page = try PagePicture(file, width: order.width, limit: limit)
      return Answer(scene: order.scene, page: order.page, result: .success(.picture(page)))
    } catch { return failed(error.reason, lacksRoom: error.isTooLarge) }
  }

  /// Hands a page to the render thread; returns why it cannot be shown.
  func prepared(_ answer: Answer) -> DocumentProblem? {
    let order = preparing
    preparing = nil
    defer { prepareNext() }
    // The request has ended meanwhile, or is typeset anew: the page takes no memory on the panel.
    guard let order, order.scene === scene else { return nil }
    switch answer.result {
    case .success(let sheet):
      if order.isRead { show(answer.page, size: sheet.size) }
      render.post(.sheet(answer.scene, page: answer.page, sheet))
      return nil
    // Another page is asked for again when the person turns to it.
    case .failure(let problem):
      guard order.isRead else { return nil }
      // The document that is being read has priority over those that wait.
      if answer.lacksRoom, order.page == read, store.discardWaiting() {
        orders.insert(order, at: 0)
        return nil
      }
      return problem
    }
  }
}
