/// The interfaces in Varlink's own language, as GetInterfaceDescription answers them.
enum InterfaceDescription {
  static func text(of interface: String) -> String? {
    switch interface {
    case "org.paraph.Pad": pad
    case "org.varlink.service": service
    default: nil
    }
  }

  /// config/org.paraph.Pad.varlink, which is what is installed and read; a test holds both together.
  static let pad = #"""
    # A signature pad: asks the person in front of it to sign, and answers with the signature.
    #
    # One request at a time: while the pad is busy with one, another gets Busy. A request lives as long as
    # the connection that made it: who disconnects cancels it. Lengths are millimetres on the glass, origin
    # top left, x right, y down; spans of time are seconds.
    #
    # Limits: a message has at most 32768 bytes with its NUL; a reference 1024 bytes of UTF-8; title, prompt and
    # text 2400 bytes each. At most 128 connections are open: a new one closes the one that has read nothing of its
    # reply for longest, or has been idle longest. A client that takes nothing of its replies for 10 seconds, or has
    # not taken all of them after 60, is disconnected.
    interface org.paraph.Pad

    # What the pad is doing.
    #
    #   idle            nobody is asked for anything
    #   invited         the person is asked to sign, and has not begun
    #   signing         there is ink on the glass
    #   confirming      Done was pressed; the signature is being saved
    #   saved           the signature is durably in the spool
    #   cancelled       the request was cancelled
    #   timed_out       nobody signed within the time limit
    #   message         a message is shown
    #   out_of_service  signatures cannot be saved; an open request waits
    type State (idle, invited, signing, confirming, saved, cancelled, timed_out, message, out_of_service)

    # Who cancelled: the person on the glass, a program by Cancel, or the pad itself.
    type Canceller (person, program, pad)

    # What a reply carries of a signature. The strokes are the samples as the panel reported them.
    type Format (png, svg, inkml, strokes)

    # One report of the touchscreen: seconds since the first one, place, and pressure from 0 to 1 where
    # the panel reports it.
    type Sample (t: float, x: float, y: float, pressure: ?float)

    # From touching the glass to leaving it. Gaps are the places, counted from 0, of samples before which reports
    # were lost: no ink joins them to the sample before.
    type Stroke (samples: []Sample, gaps: ?[]int)

    # A signature as it was saved. The id is that of its item in the spool, which may already have been
    # delivered; the digest is the SHA-256 of signature.png, 64 hexadecimal digits; the time is the pad's
    # clock, RFC 3339 in UTC. Files are base64.
    type Signature (
      id: string,
      digest: string,
      time: string,
      reference: ?string,
      width: int,
      height: int,
      dpi: float,
      png: ?string,
      svg: ?string,
      inkml: ?string,
      strokes: ?[]Stroke
    )

    # Pixels and millimetres of the picture on the glass.
    type Panel (name: string, width: int, height: int, width_mm: float, height_mm: float)

    # An input device: in use, or the reason why it is not.
    type Touchscreen (node: string, name: string, in_use: bool, reason: ?string)

    # From the kernel's time stamp of a report to its ink on the glass, in microseconds.
    type Latency (samples: int, p50: int, p99: int, longest: int)

    # What ink does while it is drawn. A sample belongs to begins and goes_on; after_gap is true where reports
    # were lost before it.
    type InkStep (begins, goes_on, ends, undone, wiped)
    type Ink (step: InkStep, sample: ?Sample, after_gap: ?bool)

    # What the pad is and does. The reason says why it is out of service.
    method GetInfo() -> (
      device: string,
      version: string,
      state: State,
      reason: ?string,
      panel: ?Panel,
      touchscreens: []Touchscreen,
      latency: ?Latency
    )

    # Asks for a signature. Answers when there is one, or when it was cancelled or nobody signed in time;
    # with "more", also at every change of state before. When the pad restarts or crashes, the connection closes
    # without a last reply, and the request is open again for a minute after the next start: a call with the same
    # reference resumes it, or gets what was signed meanwhile or before. A pad without a runtime directory keeps
    # no request: at its end, the reply is "cancelled" by "pad".
    #
    # A reply with a signature is delivered when the client has read it from its socket. Until then, and for a
    # minute after the client or the pad has ended without that, a call with the same reference is answered with the
    # same signature, and nobody is asked to sign again. The pad keeps the last signature over a restart.
    #
    #   reference    what is signed for; it is in the manifest of the signature, and never shown or logged
    #   title        one line above the prompt
    #   prompt       below it; by default "Please sign here" in the language
    #   language     of the words and for the prompt, for example "de"; by default the pad's own
    #   time_limit   after which the request ends; by default as the pad is configured
    #   cancellable  whether the person has a button Cancel; by default not
    #   formats      what the last reply carries of the signature, whatever the pad is configured to keep; by
    #                default png. svg has the outlines of the ink, inkml and strokes its samples
    #
    # Title and prompt are shown whole, in smaller letters where they are long. What does not fit the panel in
    # letters that can be read is refused with org.varlink.service.InvalidParameter: beside "parameter" it has
    # "limit", the number of characters (code points) of it that fit.
    method Sign(
      reference: ?string,
      title: ?string,
      prompt: ?string,
      language: ?string,
      time_limit: ?float,
      cancellable: ?bool,
      formats: ?[]Format
    ) -> (
      state: State,
      seconds_left: ?float,
      cancelled_by: ?Canceller,
      signature: ?Signature
    )

    # Cancels the open request; with a reference, only if the request has the same.
    method Cancel(reference: ?string) -> ()

    # Shows a message until its button is pressed, its time (5 seconds by default) is over or the
    # connection is closed. Answers when it is gone: whether the button was pressed.
    method Show(
      title: ?string,
      text: string,
      language: ?string,
      time_limit: ?float,
      button: ?bool
    ) -> (acknowledged: bool)

    # Answers with the state and, with "more", at every change of it. With strokes, if the pad is configured
    # to allow that, also with the ink as it is drawn.
    method Watch(strokes: ?bool) -> (state: State, seconds_left: ?float, ink: ?[]Ink)

    # A signature that was saved within the last minute.
    method GetSignature(id: string, formats: ?[]Format) -> (signature: Signature)

    # The pad has another request, or somebody is signing without one.
    error Busy ()

    # Signatures cannot be saved.
    error OutOfService (reason: string)

    # There is no request to cancel, or not one of this reference.
    error NoRequest ()

    # No signature of this id was saved within the last minute.
    error NoSuchSignature (id: string)

    # The pad's configuration does not let strokes be watched.
    error StrokesNotAllowed ()

    # The message is no call: it is too long, or no valid JSON, or names no method. The pad closes the connection.
    error InvalidMessage (reason: string)

    """#

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
