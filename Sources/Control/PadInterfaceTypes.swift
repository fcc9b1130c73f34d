/// The introduction and the types of the interface `org.paraph.Pad`.
enum PadInterfaceTypes {
  static let text = #"""
    # A signature pad: asks a person to sign, and replies with the signature.
    #
    # The pad serves one request, message or question at a time; meanwhile, it answers others with Busy. A request belongs
    # to its connection: closing the connection cancels it. Lengths are in millimetres on the glass: the origin is the top
    # left corner, x points right, y points down. Durations are in seconds.
    #
    # Limits: a message has at most 32768 bytes with its NUL; a reference 1024 bytes of UTF-8; title, prompt and text
    # 2400 bytes each; a choice 200. At most 128 connections are open: at the limit, a new one replaces one of the user and
    # of the process with the most connections: first one that does not read its replies, then one that calls without pause,
    # then the one that has been idle for longest, and never one with an open request. The pad disconnects a client that
    # reads nothing of its replies for 10 seconds, or has not read all of them after 60.
    #
    # Every method can also fail with an error of org.varlink.service. InvalidParameter names a parameter that is
    # unknown, has the wrong type or is out of range. PermissionDenied means that the pad's configuration does not
    # allow the client's user ([control] users); the pad then closes the connection.
    interface org.paraph.Pad

    # What the pad is doing.
    #
    #   idle            nothing is open; the pad invites when a client asks, or at a touch of its slides (invite = always)
    #   reading         the person reads the document of a request
    #   invited         the pad asks for a signature, and there is no ink yet
    #   signing         there is ink on the glass
    #   confirming      the person pressed Done, and the pad saves the signature
    #   saved           the signature is in the spool, on the disk
    #   cancelled       the request was cancelled
    #   timed_out       the time limit passed without a signature
    #   message         the pad shows a message
    #   question        the pad asks a question
    #   out_of_service  the pad cannot save signatures; an open request waits
    type State (
      idle,
      reading,
      invited,
      signing,
      confirming,
      saved,
      cancelled,
      timed_out,
      message,
      question,
      out_of_service
    )

    # The one that cancelled a request: the person, by the button; a program, by Cancel; or the pad, because it ended,
    # cannot show a page of the document, or has no font for a question on another panel.
    type Canceller (person, program, pad)

    # How a question ended: a choice was pressed, the question was cancelled, or the time limit passed.
    type Outcome (answered, cancelled, timed_out)

    # A form of the signature that a reply can carry.
    #
    #   png      the picture, signature.png
    #   svg      the outlines of the ink
    #   inkml    the samples, as W3C Ink Markup Language
    #   strokes  the samples, as the panel reported them
    type Format (png, svg, inkml, strokes)

    # A sample of a stroke: seconds since the first sample of the signature, position, and pressure from 0 to 1 if the
    # panel reports it.
    type Sample (t: float, x: float, y: float, pressure: ?float)

    # The samples from touching the glass to leaving it. Reports were lost before each sample whose index, from 0, is in
    # gaps: no ink joins it to the sample before.
    type Stroke (samples: []Sample, gaps: ?[]int)

    # A document that the person reads before signing. PutPage uploads its pages on the same connection.
    #
    #   id      the id of PutPage
    #   name    of the original file, such as "Contract.pdf": 1 to 255 bytes of UTF-8, not blank, without control characters
    #   digest  the SHA-256 of the original file, as 64 lower-case hexadecimal digits
    #   pages   the number of pages that were uploaded; 1 for a text
    #   early   whether the person may sign before the last page was shown; default: false
    type Document (id: string, name: string, digest: string, pages: int, early: ?bool)

    # A page as it was shown: the SHA-256 of its PNG as it was uploaded, or of its text in UTF-8; and how long it was on the
    # glass, in seconds; if the pad was restarted before Done, since then. The texts of all pages, one after the other, are
    # the whole text, with spaces for tabs.
    type ShownPage (digest: string, seconds: float)

    # A document as it was shown: its name and digest as in the request, and its pages.
    type ShownDocument (name: string, digest: string, pages: []ShownPage)

    # A signature as it was saved.
    #
    #   id             its id in the spool and at every receiver, a UUID of version 7
    #   digest         the SHA-256 of signature.png, or of signature.png.cms if that is sealed, as 64 hexadecimal digits
    #   time           when it was signed by the pad's clock, RFC 3339 in UTC
    #   reference      that of its request
    #   width, height  of the picture, in pixels
    #   dpi            of the picture
    #   document       what the person could read before signing
    #   png, svg, inkml, strokes  what the request asked for; files are in base64
    #   sealed         with [seal] in the pad's configuration: the sealed files of the item that the request asked for, instead
    #                  of the ink; a PNG is sealed only if so configured
    type Signature (
      id: string,
      digest: string,
      time: string,
      reference: ?string,
      width: int,
      height: int,
      dpi: float,
      document: ?ShownDocument,
      png: ?string,
      svg: ?string,
      inkml: ?string,
      strokes: ?[]Stroke,
      sealed: ?[]SealedFile
    )

    # A sealed file (CMS AuthEnvelopedData in DER): its name in the item, such as strokes.json.cms, and its content in base64.
    type SealedFile (name: string, content: string)

    # The panel: its name, and the size of the picture on the glass in pixels and millimetres.
    type Panel (name: string, width: int, height: int, width_mm: float, height_mm: float)

    # An input device: whether the pad reads it, and if not, why.
    type Touchscreen (node: string, name: string, in_use: bool, reason: ?string)

    # Latency from the kernel's time stamp of a report to its ink on the glass, in microseconds: the number of samples
    # measured, the median, the 99th percentile and the maximum.
    type Latency (samples: int, p50: int, p99: int, longest: int)

    # A step of drawing. begins and goes_on carry a sample; after_gap is true if reports were lost before it. undone
    # removes the last stroke, wiped removes all strokes, of which there may be none.
    type InkStep (begins, goes_on, ends, undone, wiped)
    type Ink (step: InkStep, sample: ?Sample, after_gap: ?bool)

    # Clients draw the same pixels as the pad with these: the size of the glass in pixels, pixels per millimetre, the
    # stroke model as manifests name it, the narrowest and the widest ink in millimetres, the lead of the tail in seconds,
    # and the colours of ink and ground as #rrggbb.
    type Surface (
      width: int,
      height: int,
      scale_x: float,
      scale_y: float,
      model: string,
      narrowest: float,
      widest: float,
      prediction: float,
      ink: string,
      ground: string
    )

    # A button of the pad.
    type Button (done, clear)

    # Which side has the panel: the pad; the other one, a program on another virtual terminal; or neither, while it is
    # handed over.
    type Foreground (pad, other, neither)


    """#
}
