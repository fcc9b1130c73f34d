internal import Configuration

/// What an object store knows a client by. Temporary keys change together, and each is a file of its own:
/// they are read until two readings agree.
struct S3Keys: Equatable {
  let access: String
  let secret: String
  let session: String?

  init(_ configuration: S3SinkConfiguration) throws(SecretError) {
    var keys = try Self(reading: configuration)
    for _ in 0..<Self.readings {
      let again = try Self(reading: configuration)
      if again == keys {
        self = keys
        return
      }
      keys = again
    }
    throw SecretError(text: "access key, secret key and session token change while they are read")
  }

  private static let readings = 5

  private init(reading configuration: S3SinkConfiguration) throws(SecretError) {
    switch configuration.accessKey {
    case .text(let text): access = text
    case .secret(let secret): access = try secret.readText()
    }
    secret = try configuration.secretKey.readText()
    session = try configuration.sessionToken?.readText()
  }
}
