internal import Linux

/// The card of the chosen panel, open; all others are closed again, and given up with that.
struct FoundPanel {
  let card: Card
  let survey: CardSurvey
  let pipeline: Pipeline

  /// Asks every card. A card that cannot be asked has no part, unless it is the only one: then its
  /// error is the reason.
  init(_ selector: OutputSelector, in folder: String = "/dev/dri") throws(DisplayError) {
    var cards: [Card] = []
    var surveys: [CardSurvey] = []
    var failure: DisplayError?
    for path in CardNodes.paths(in: folder) {
      do throws(DisplayError) {
        let card = try Card(opening: path)
        do throws(UnusedCard) {
          surveys.append(try card.survey())
          cards.append(card)
        } catch {
          if case .failed(let reason) = error { failure = reason }
        }
      } catch {
        failure = error
      }
    }
    if surveys.isEmpty { throw failure ?? .noCard }
    let choice = PanelChoice(among: surveys, selector: selector)
    guard let pipeline = choice.pipeline else { throw .noPanel(choice.unused) }
    self.pipeline = pipeline
    survey = surveys[pipeline.card]
    card = cards[pipeline.card]
  }
}
