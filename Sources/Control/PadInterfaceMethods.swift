/// The methods and errors of the interface `org.paraph.Pad`.
enum PadInterfaceMethods {
  static let text = #"""
    # Describes the pad.
    #
    #   device        the pad's name, as manifests have it
    #   version       the version of paraphd
    #   state         what the pad is doing
    #   reason        why it is out of service
    #   unsaved       whether saving failed: a finished signature is on the glass until it can be saved
    #   panel         the panel, if there is one
    #   touchscreens  the input devices as last listed; a call starts a new list if the last is older than 10 s
    #   latency       the latency, after the first stroke
    #   foreground    which side has the panel
    #   watch_strokes whether the caller may watch strokes, and see ink in screenshots
    #   press_buttons whether the caller may press buttons
    method GetInfo() -> (
      device: string,
      version: string,
      state: State,
      reason: ?string,
      unsaved: bool,
      panel: ?Panel,
      touchscreens: []Touchscreen,
      latency: ?Latency,
      foreground: Foreground,
      watch_strokes: bool,
      press_buttons: bool
    )

    # Asks for a signature. Replies when the person has signed or cancelled, or when the time limit has passed; with
    # "more", also at every change of state before that. Waits up to 5 seconds for the pad's first panel.
    #
    # The pad keeps an open request when it is restarted or crashes: the connection closes without a last reply, and for
    # a minute after the next start, a call with the same reference resumes the request, or receives the signature. A
    # request that the panel has not shown yet, or of a pad without a runtime directory, is not kept: the pad replies
    # "cancelled" by "pad" when it ends.
    #
    # The pad keeps a signature until the client has read the reply from its socket. If the client or the pad ends
    # before that, a call with the same reference within a minute receives that signature, and nobody signs again. The
    # pad keeps the last four signatures over a restart.
    #
    # While the panel is gone, unplugged or shows something else, a new request, message or question fails with
    # OutOfService. An open request stays open and its time limit goes on; the time after which ink is wiped does not.
    #
    # With [pad] foreground = on-request, the pad comes to the front for a request, message or question, and returns the
    # panel when its notice is over. If the program in front does not release the panel within 2 seconds, the call fails
    # with OutOfService; its reason names the terminal.
    #
    #   reference    identifies what is signed for: 1 to 1024 bytes without control characters. It is in the manifest,
    #                and the pad neither shows nor logs it
    #   title        a heading above the prompt; the manifest has both as they were shown
    #   prompt       what to sign; default: "Please sign here" in the language
    #   language     language tag of the pad's words and of the prompt, such as "de" or "pt-BR"; default: the pad's
    #   time_limit   seconds until the request ends as timed_out, above 0 and up to 86400; default: the pad's. It is suspended
    #                while a signature that could not be saved is on the glass, and begins anew with the next touch
    #   cancellable  shows a Cancel button; default: false
    #   formats      what the last reply carries, whatever files the pad writes; up to 16; default: png
    #   document     shown page by page before the line to sign on appears; default: none. It is discarded with its request.
    #                Fails with BadDocument if a page has not arrived, or if a text has more than 20000 characters (code
    #                points), is not UTF-8, has characters that the pad cannot show, has more than 3000 lines and changes of
    #                script or direction, or takes more than 1000 pages on the panel; also later, when the person turns to a
    #                page that cannot be shown: others learn that the pad cancelled it
    #   token        from paraph-web: the name of its client's token, for the manifest; up to 255 bytes. The pad ignores it
    #                from any other user ([control] web-user)
    #
    # The manifest names the client's user and program.
    #
    # While the person reads, the time limit counts from the last touch. Replies in the state reading have the page, from 1, and
    # no seconds_left; with "more", they also come at every change of the page. A call that resumes a request, or receives its
    # signature, has the digest of the same document; its pages need not be uploaded again.
    #
    # The pad shows title and prompt in full, in smaller letters where they are long. A text that does not fit in legible
    # letters fails with org.varlink.service.InvalidParameter: beside "parameter" it has "limit", the number of characters
    # (code points) that fit.
    method Sign(
      reference: ?string,
      title: ?string,
      prompt: ?string,
      language: ?string,
      time_limit: ?float,
      cancellable: ?bool,
      formats: ?[]Format,
      document: ?Document,
      token: ?string
    ) -> (
      state: State,
      seconds_left: ?float,
      page: ?int,
      cancelled_by: ?Canceller,
      signature: ?Signature
    )

    # Uploads a part of a page of a document. A document is up to 50 pages, each a PNG, or one text in UTF-8 as page 1. The pad
    # typesets and paginates a text in the language of the request. PNGs are checked as they arrive.
    #
    # A connection has one document: a part of another replaces it, and closing the connection discards it. Before the document
    # is signed for, so does a minute without a part, and a page that a person reads for another client, if it finds no other
    # room.
    #
    #   document  chosen by the client: 1 to 64 letters, digits, "-", "_" and "."
    #   number    of the page, from 1
    #   offset    the number of bytes of this page that have arrived; 0 begins the page anew
    #   data      1 to 24000 bytes, in base64
    #
    # Fails with BadDocument, which discards the page, if
    #   the part is not the next one of its page; lost, if the pad has no part of the page
    #   the page is no PNG, is damaged, has more than 8388608 pixels, a side of more than 10000 or more than eight times its
    #   width in height, or is an interlaced PNG of more than 2097152 pixels
    #   the text has control characters but tabs and line feeds, or more than 80000 bytes
    #   the pages of all clients would take more than 12 MiB, or 16 of them have begun and not arrived
    #   the pad has no folder for pages
    method PutPage(document: string, number: int, offset: int, data: string) -> ()

    # Cancels the open request, message or question; with a reference, only a request that has the same; with without_ink,
    # only a request without ink. A signature that is already being saved is saved, and the reply is the same. Replies when
    # the request is over, after two seconds at the latest: the next request of the client is not refused as busy. With
    # without_ink, it fails with NoRequest if the request was signed, or is not over by then.
    method Cancel(reference: ?string, without_ink: ?bool) -> ()

    # Shows a message. Replies when it is gone: its button was pressed (acknowledged is true), its time has passed, or
    # a client cancelled it. Closing the connection removes it. A pad that ends replies that it was cancelled by "pad".
    #
    #   title       a heading above the text
    #   text        the message; it fits the panel, or fails as in Sign; default: "One moment, please" in the language
    #   language    language tag of the text and of the button; default: the pad's
    #   time_limit  seconds until it goes, above 0 and up to 86400; default: 5
    #   button      shows an OK button; default: false
    #
    #   cancelled_by  who removed the message before its time
    method Show(
      title: ?string,
      text: ?string,
      language: ?string,
      time_limit: ?float,
      button: ?bool
    ) -> (acknowledged: bool, cancelled_by: ?Canceller)

    # Asks a question. Replies when a choice was pressed, when a client cancelled the question, or when the time limit has
    # passed. Closing the connection cancels it. A pad that ends replies "cancelled" by "pad": unlike Sign, a question is
    # not kept. A pad that cannot save signatures still asks questions.
    #
    #   title       a heading above the text
    #   text        the question
    #   choices     two to four answers, each on a button, in this order; none of white space and invisible characters alone
    #   language    language tag of the texts; default: the pad's
    #   time_limit  seconds until the question ends as timed_out, above 0 and up to 86400; default: the pad's
    #
    # The texts fit the panel, or the call fails as in Sign; of choices, "limit" is of the first that is too long.
    #
    #   choice        the choice that was pressed, from 0
    #   cancelled_by  who cancelled the question
    method Ask(
      title: ?string,
      text: string,
      choices: []string,
      language: ?string,
      time_limit: ?float
    ) -> (
      outcome: Outcome,
      choice: ?int,
      cancelled_by: ?Canceller
    )

    # Replies with the state; with "more", also at every change of it, to 16 clients at a time (others get Busy). With
    # strokes, replies also carry the surface, once there is one and when it changes, and the ink as it is drawn: that
    # needs "more", and [control] watch-strokes = yes in the pad's configuration. The first ink is "wiped" and then all ink
    # on the glass, in several replies if it is much; without a journal, only the ink since the first client began to watch.
    # The same comes again after another surface, and if the pad lost steps. A client that reads slowly receives later what
    # is on the glass then, and not what was removed meanwhile. A state can come before ink that was drawn earlier. The pad
    # shows an icon while strokes are watched.
    method Watch(strokes: ?bool) -> (
      state: State,
      seconds_left: ?float,
      page: ?int,
      surface: ?Surface,
      ink: ?[]Ink
    )

    # Returns a signature that was saved within the last minute. The pad keeps four, and gives up one that its client has read
    # before one that it has not.
    method GetSignature(id: string, formats: ?[]Format) -> (signature: Signature)

    # Returns a picture of the glass as it is now: 8-bit RGB, upright, with the texts and document of any client's request.
    # Strokes, or another screenshot within the last second, delay it by at most a second; a blanked panel is black. While
    # there is ink on the glass, it needs [control] watch-strokes = yes. Fails with OutOfService if there is no panel, if it
    # shows something else, or if the picture has more than 4 MiB; with Busy if the client or four others have not read
    # theirs.
    method Screenshot() -> (png: string)

    # Presses a button for the person who signs, and replies when the pad has done so. Needs [control] press-buttons = yes
    # in the pad's configuration. Fails with NotEnabled
    #   without ink on the glass, for example because the person was faster, or the request has just ended
    #   without a panel that shows it
    #   for Done, if the ink is too short to be saved: the pad then wipes it, and asks again
    method Press(button: Button) -> ()

    # Brings the pad to the front, and replies when its terminal is shown. It stays there until Back, or until another
    # terminal is shown. Fails with OutOfService if the program in front does not release the panel within 2 seconds, or
    # Back comes meanwhile, and with NotShared if the pad does not share it.
    method Front() -> ()

    # Returns the panel to the program that had it before, also while a notice is shown. Where that program has ended, the
    # pad stays in front until it is back. Fails with Busy while a request, message or question is open, and with NotShared
    # if the pad does not share the panel.
    method Back() -> ()

    # The pad serves another request, message or question, or a person is signing without a request. Of Watch and
    # Screenshot: too many clients do the same.
    error Busy ()

    # The pad cannot save signatures, has no panel or no font, or its panel shows something else.
    error OutOfService (reason: string)

    # The document cannot be shown: page is the first one that is missing, incomplete or unusable, from 1. lost: the pad
    # does not have all of it any more, and the client may upload it again and repeat the request.
    error BadDocument (page: ?int, reason: string, lost: ?bool)

    # No request is open, or the open one has another reference. Of Cancel with without_ink: or it has ink.
    error NoRequest ()

    # No signature of this id was saved within the last minute.
    error NoSuchSignature (id: string)

    # The pad's configuration does not allow clients to watch strokes, or to see ink before it is saved.
    error StrokesNotAllowed ()

    # The pad's configuration does not allow clients to press buttons.
    error PressNotAllowed ()

    # The button cannot be pressed now, or the ink is too short for Done.
    error NotEnabled ()

    # The pad does not share its panel: it needs [pad] foreground = on-request and a virtual terminal of its own.
    error NotShared ()

    # The message is not a call: it is too long, is not valid JSON, or names no method. The pad closes the connection.
    error InvalidMessage (reason: string)

    """#
}
