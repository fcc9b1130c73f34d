internal import Control
internal import Screen

extension SceneBuilder {
  /// The scene of a request for a signature.
  func scene(_ request: SignRequest, timeLimit: Int64?) -> Scene {
    signature(
      request.number, title: request.title, prompt: request.prompt, language: request.language,
      cancel: request.cancellable, countdown: timeLimit != nil)
  }

  /// The scene of a message.
  func scene(_ request: MessageRequest) -> Scene {
    message(
      request.number, title: request.title, text: request.text, language: request.language,
      button: request.button)
  }
}
