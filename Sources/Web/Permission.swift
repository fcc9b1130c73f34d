internal import Configuration

/// What a client may do. `ask` and `mirror` include watching the pad's state.
typealias Permission = WebToken.Permission

/// The permissions of a client.
struct Permissions: Equatable {
  let allowed: [Permission]

  func has(_ permission: Permission) -> Bool { allowed.contains(permission) }
}
