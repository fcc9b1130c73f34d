internal import Configuration

/// A right of a client. `ask` and `mirror` include watching the pad's state.
typealias Permission = WebToken.Permission
