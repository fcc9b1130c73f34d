internal import Raster

/// All that the pad may have to say for a request, or by itself, set in lines and at its place. Made on
/// the main thread, shown by the render thread; it never changes.
final class Scene: Sendable {
  /// The request; nil: the pad's own.
  let number: Int64?
  let layout: Layout
  let texts: SceneTexts
  let labels: [ButtonLabel]
  let countdown: CountdownText?
  /// Under everything that is not a notice; nil: one colour.
  let picture: GroundPicture?
  /// What of the request's texts does not fit; nil: all of them do.
  let overflow: TextOverflow?

  init(
    number: Int64?, layout: Layout, texts: SceneTexts, labels: [ButtonLabel]?,
    countdown: CountdownText? = nil, picture: GroundPicture? = nil, overflow: TextOverflow? = nil
  ) {
    self.number = number
    self.layout = layout
    self.texts = texts
    self.labels = labels ?? Scene.signs(layout)
    self.countdown = countdown
    self.picture = picture
    self.overflow = overflow
  }

  /// Signs alone: it needs no font.
  convenience init(number: Int64? = nil, layout: Layout) {
    self.init(number: number, layout: layout, texts: SceneTexts(), labels: nil)
  }

  private static func signs(_ layout: Layout) -> [ButtonLabel] {
    layout.buttons.map { ButtonLabel(button: $0, sign: layout.area(of: $0), word: nil) }
  }

  func label(of button: Button) -> ButtonLabel? { labels.first { $0.button == button } }
}

/// The words of a scene.
struct SceneTexts: Sendable {
  /// Title and prompt.
  var header: [PlacedText] = []
  /// Instead of them: what was sent was too short.
  var tooShort: [PlacedText] = []
  /// Instead of them: the signature is being saved.
  var saving: [PlacedText] = []
  /// Instead of them: it is saved.
  var saved: [PlacedText] = []
  /// Below a sign.
  var cancelled: [PlacedText] = []
  /// Below a sign.
  var timedOut: [PlacedText] = []
  /// Below a sign.
  var outOfService: [PlacedText] = []
  /// A message.
  var message: [PlacedText] = []
}
