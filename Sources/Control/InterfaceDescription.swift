internal import JSON

/// The interface `org.varlink.service`, which describes the service's interfaces.
enum InterfaceDescription {
  /// The reply to a call of `org.varlink.service`.
  static func answer(_ call: Call, version: String) throws(CallError) -> [UInt8] {
    switch call.method {
    case "GetInfo":
      try call.parameters.allow([])
      return Reply.result([
        ("vendor", .text("Paraph")), ("product", .text("paraphd")), ("version", .text(version)),
        ("url", .text("")),
        ("interfaces", .array([.text("org.varlink.service"), .text("org.paraph.Pad")])),
      ])
    case "GetInterfaceDescription":
      try call.parameters.allow(["interface"])
      let name = try call.parameters.requiredText("interface", limit: 255)
      guard let text = text(of: name) else { throw .interfaceNotFound(name) }
      return Reply.result([("description", .text(text))])
    default: throw .methodNotFound(call.method)
    }
  }

  /// The description of an interface in Varlink's language; nil: unknown interface.
  static func text(of interface: String) -> String? {
    switch interface {
    case "org.paraph.Pad": pad
    case "org.varlink.service": service
    default: nil
    }
  }

  /// The text of config/org.paraph.Pad.varlink, which is installed; a test compares them.
  static let pad = PadInterfaceTypes.text + PadInterfaceMethods.text

  /// varlink.org, "Service Interface".
  static let service = #"""
    # The Varlink Service Interface is provided by every varlink service. It
    # describes the service and the interfaces it implements.
    interface org.varlink.service

    # Get a list of all the interfaces a service provides and information
    # about the implementation.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Get the description of an interface that is implemented by this service.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The requested interface was not found.
    error InterfaceNotFound (interface: string)

    # The requested method was not found
    error MethodNotFound (method: string)

    # The interface defines the requested method, but the service does not
    # implement it.
    error MethodNotImplemented (method: string)

    # One of the passed parameters is invalid.
    error InvalidParameter (parameter: string)

    # Client is denied access
    error PermissionDenied ()

    # Method is expected to be called with 'more' set to true, but wasn't
    error ExpectedMore ()

    """#
}
