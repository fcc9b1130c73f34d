#compdef paraph

__paraph_arguments() {
  local context state state_descr line curcontext=$curcontext
  typeset -A opt_args
  _arguments -C -s -S : \
    '(--version)''--version[Print the version.]' \
    '(--verbose)''--verbose[With --version\: print the versions of compiler and libraries too.]' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '(-): :->command' \
    '(-)*:: :->arguments' && return
  case $state in
    command)
      local -a commands=(
        'ask:Ask a question on the running pad.'
        'back:Return a shared panel to the program that had it before.'
        'calibrate:Calibrate a touchscreen to the pad'\''s panel.'
        'cancel:Cancel the request, message or question that is open.'
        'compare:Draw a recording with every stroke model, side by side.'
        'contacts:List the contacts of a recording, as the device reported them.'
        'devices:List cards, panels and touchscreens, and why one is not used.'
        'doctor:Diagnose why a pad does not work.'
        'front:Bring the running pad to the front of a shared panel.'
        'generate:Generate a program'\''s completions or manual page.'
        'preview:Draw what the pad would show into a PNG file.'
        'record:Record a touchscreen'\''s events to a file.'
        'render:Draw a recording or a signature as the pad draws it.'
        'screenshot:Save a picture of what the running pad shows now.'
        'seal:Make the key and the certificate of a pad.'
        'show:Show a message on the running pad.'
        'sign:Ask for a signature on the running pad.'
        'spool:Manage the signatures in the spool.'
        'status:Show the running pad'\''s state, devices and latency.'
        'trace:Print the centre line of the finalised ink.'
        'unseal:Open the sealed files of a signature, where the key is.'
        'verify:State what is proven of items, and what is not.'
        'watch:List a touchscreen'\''s contacts while they happen.'
        'help:Explain a command and its options.'
      )
      _describe -t commands command commands
      ;;
    arguments)
      case $words[1] in
        ask) __paraph_ask_arguments ;;
        back) __paraph_back_arguments ;;
        calibrate) __paraph_calibrate_arguments ;;
        cancel) __paraph_cancel_arguments ;;
        compare) __paraph_compare_arguments ;;
        contacts) __paraph_contacts_arguments ;;
        devices) __paraph_devices_arguments ;;
        doctor) __paraph_doctor_arguments ;;
        front) __paraph_front_arguments ;;
        generate) __paraph_generate_arguments ;;
        preview) __paraph_preview_arguments ;;
        record) __paraph_record_arguments ;;
        render) __paraph_render_arguments ;;
        screenshot) __paraph_screenshot_arguments ;;
        seal) __paraph_seal_arguments ;;
        show) __paraph_show_arguments ;;
        sign) __paraph_sign_arguments ;;
        spool) __paraph_spool_arguments ;;
        status) __paraph_status_arguments ;;
        trace) __paraph_trace_arguments ;;
        unseal) __paraph_unseal_arguments ;;
        verify) __paraph_verify_arguments ;;
        watch) __paraph_watch_arguments ;;
        help) ((CURRENT == 2)) && compadd -- ask back calibrate cancel compare contacts devices doctor front generate preview record render screenshot seal show sign spool status trace unseal verify watch ;;
      esac
      ;;
  esac
}

__paraph_ask_arguments() {
  _arguments -s -S : \
    '(--title)''--title=[Show one line above the question.]:TEXT: ' \
    '(--language)''--language=[Set the language of the texts, such as de.]:CODE: ' \
    '(--timeout)''--timeout=[Give up after this time, at most 86400 seconds.]:SECONDS: ' \
    '(--socket)''--socket=[Set the pad'\''s control socket; by default, the variable PARAPH_SOCKET, else /run/paraph/org.paraph.Pad.]:PATH:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    ':TEXT: ' \
    '*:CHOICE: '
}

__paraph_back_arguments() {
  _arguments -s -S : \
    '(--socket)''--socket=[Set the pad'\''s control socket; by default, the variable PARAPH_SOCKET, else /run/paraph/org.paraph.Pad.]:PATH:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_calibrate_arguments() {
  _arguments -s -S : \
    '(-o --output)'{-o+,--output=}'[Write the rule to FILE, and keep its rules for other devices.]:FILE:_files -g "*.(rules)"' \
    '(--tolerance)''--tolerance=[Accept touches up to this distance from a target, above 0 and up to 100 mm.]:MM: ' \
    '(-c --config)'{-c+,--config=}'[Read the pad'\''s configuration, which names its panel and touchscreen, from FILE.]:FILE:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '::DEVICE:_files'
}

__paraph_cancel_arguments() {
  _arguments -s -S : \
    '(--reference)''--reference=[Cancel only a request with this reference.]:TEXT: ' \
    '(--without-ink)''--without-ink[Cancel only a request without ink.]' \
    '(--socket)''--socket=[Set the pad'\''s control socket; by default, the variable PARAPH_SOCKET, else /run/paraph/org.paraph.Pad.]:PATH:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_compare_arguments() {
  _arguments -s -S : \
    '(-o --output)'{-o+,--output=}'[Write the sheet to FILE, a .png.]:FILE:_files -g "*.(png)"' \
    '(--units-per-mm)''--units-per-mm=[Set the device units per millimetre; by default, the device'\''s resolution, else a power of ten that makes the drawing fit on a panel.]:N: ' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    ':INPUT:_files'
}

__paraph_contacts_arguments() {
  _arguments -s -S : \
    '(--json)''--json[Print a JSON array with one object per line.]' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    ':INPUT:_files'
}

__paraph_devices_arguments() {
  _arguments -s -S : \
    '(--json)''--json[Print JSON, for programs.]' \
    '(-c --config)'{-c+,--config=}'[Read the pad'\''s configuration, which names its panel and touchscreen, from FILE.]:FILE:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_doctor_arguments() {
  _arguments -s -S : \
    '(--json)''--json[Print JSON, for programs.]' \
    '(-c --config)'{-c+,--config=}'[Read the pad'\''s configuration from FILE.]:FILE:_files' \
    '(--handoff-config)''--handoff-config=[Read the configuration of paraph-handoff from FILE.]:FILE:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_front_arguments() {
  _arguments -s -S : \
    '(--socket)''--socket=[Set the pad'\''s control socket; by default, the variable PARAPH_SOCKET, else /run/paraph/org.paraph.Pad.]:PATH:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_generate_arguments() {
  _arguments -s -S : \
    '(--template)''--template=[Insert the generated sections of a manual page into FILE.]:FILE:_files -g "*.(in)"' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    ':FORMAT:(bash zsh fish man)' \
    '::PROGRAM:(paraph paraphd paraph-handoff paraph-seal paraph-web)'
}

__paraph_preview_arguments() {
  _arguments -s -S : \
    '(-o --output)'{-o+,--output=}'[Write the picture to FILE.]:FILE:_files -g "*.(png)"' \
    '(--title)''--title=[Show one line above the prompt or the message.]:TEXT: ' \
    '(--prompt)''--prompt=[Show this text instead of the pad'\''s own prompt.]:TEXT: ' \
    '(--message)''--message=[Show a message with a button OK instead of a request.]:TEXT: ' \
    '(--question)''--question=[Show a question instead of a request.]:TEXT: ' \
    '*--choice=[Add a button to the question; it has two to four.]:TEXT: ' \
    '(--document)''--document=[Show a page of this document, which is read before signing.]:FILE:_files -g "*.(pdf|png|txt)"' \
    '(--page)''--page=[Show this page of the document; by default, the first.]:NUMBER: ' \
    '(--slide)''--slide=[Show this picture of \[pad\] slides instead of a request.]:FILE:_files -g "*.(png)"' \
    '(--language)''--language=[Set the language of the request, such as de.]:CODE: ' \
    '(--cancellable)''--cancellable[Add a button Cancel.]' \
    '(--timeout)''--timeout=[Show this time limit.]:SECONDS: ' \
    '(--pixels)''--pixels=[Set the panel'\''s size in pixels; by default, that of \[display\] pixels.]:WxH: ' \
    '(--size)''--size=[Set the panel'\''s size in millimetres; by default, that of \[display\] size, else 96 dpi.]:WxH: ' \
    '(-c --config)'{-c+,--config=}'[Read the pad'\''s configuration, which names its panel and touchscreen, from FILE.]:FILE:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_record_arguments() {
  _arguments -s -S : \
    '(-o --output)'{-o+,--output=}'[Write to FILE, which must not exist.]:FILE:_files' \
    '(-c --config)'{-c+,--config=}'[Read the pad'\''s configuration, which names its panel and touchscreen, from FILE.]:FILE:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '::DEVICE:_files'
}

__paraph_render_arguments() {
  _arguments -s -S : \
    '(-o --output)'{-o+,--output=}'[Write the picture to FILE\: .png, .svg or .inkml.]:FILE:_files -g "*.(png|svg|inkml)"' \
    '(-m --model)'{-m+,--model=}'[Draw with this stroke model; by default, the signature'\''s own model, else the default model.]:MODEL:(default ductus uberSignature velocityStrip polyline)' \
    '(--dpi)''--dpi=[Set the pixels per inch, from 1 to 4800, or panel for those of the signature'\''s panel.]:DPI:(panel)' \
    '(--units-per-mm)''--units-per-mm=[Set the device units per millimetre; by default, the device'\''s resolution, else a power of ten that makes the drawing fit on a panel.]:N: ' \
    '(--margin)''--margin=[Set the margin around the ink, from 0 to 100 mm.]:MM: ' \
    '(--trim)''--trim[Trim the picture to the ink. This is the default.]' \
    '(--no-trim)''--no-trim[Draw the whole panel.]' \
    '(--transparent)''--transparent[Make the background transparent (.png).]' \
    '(--animate)''--animate[Show the ink growing as the hand drew it (.svg).]' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    ':INPUT:_files'
}

__paraph_screenshot_arguments() {
  _arguments -s -S : \
    '(-o --output)'{-o+,--output=}'[Write the PNG to FILE; by default, to standard output.]:FILE:_files -g "*.(png)"' \
    '(--socket)''--socket=[Set the pad'\''s control socket; by default, the variable PARAPH_SOCKET, else /run/paraph/org.paraph.Pad.]:PATH:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_seal_arguments() {
  local context state state_descr line curcontext=$curcontext
  typeset -A opt_args
  _arguments -C -s -S : \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '(-): :->command' \
    '(-)*:: :->arguments' && return
  case $state in
    command)
      local -a commands=(
        'new-key:Make a private key for a pad.'
        'request:Make a request for the certificate of a pad'\''s key.'
        'self-sign:Make a certificate of a pad'\''s key, signed by the key itself.'
      )
      _describe -t commands command commands
      ;;
    arguments)
      case $words[1] in
        new-key) __paraph_seal_new_key_arguments ;;
        request) __paraph_seal_request_arguments ;;
        self-sign) __paraph_seal_self_sign_arguments ;;
      esac
      ;;
  esac
}

__paraph_seal_new_key_arguments() {
  _arguments -s -S : \
    '(--type)''--type=[The kind of key\: ec is on the curve P-256, rsa has 3072 bits.]:TYPE:(ec rsa)' \
    '(-o --output)'{-o+,--output=}'[Write the key to FILE, in PEM (PKCS #8) without a passphrase.]:FILE:_files -g "*.(key|pem)"' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_seal_request_arguments() {
  _arguments -s -S : \
    '(--key)''--key=[The pad'\''s key\: a file in PEM without a passphrase, or a key in a TPM or token by its URI, which begins with handle\: or pkcs11\:.]:KEY:_files -g "*.(key|pem)"' \
    '(--subject)''--subject=[The pad'\''s distinguished name, such as /CN=counter-3/O=Post. A backslash makes the next character part of the value.]:NAME: ' \
    '(-o --output)'{-o+,--output=}'[Write the request to FILE, in PEM. Nothing is replaced.]:FILE:_files -g "*.(csr|pem)"' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_seal_self_sign_arguments() {
  _arguments -s -S : \
    '(--key)''--key=[The pad'\''s key\: a file in PEM without a passphrase, or a key in a TPM or token by its URI, which begins with handle\: or pkcs11\:.]:KEY:_files -g "*.(key|pem)"' \
    '(--subject)''--subject=[The pad'\''s distinguished name, such as /CN=counter-3/O=Post. A backslash makes the next character part of the value.]:NAME: ' \
    '(--days)''--days=[The certificate is valid from now for N days, 36500 at most.]:N: ' \
    '(-o --output)'{-o+,--output=}'[Write the certificate to FILE, in PEM. Nothing is replaced.]:FILE:_files -g "*.(pem|crt)"' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_show_arguments() {
  _arguments -s -S : \
    '(--title)''--title=[Show one line above the text.]:TEXT: ' \
    '(--language)''--language=[Set the language of the text, such as de.]:CODE: ' \
    '(--timeout)''--timeout=[Remove the message after this time. Without it, after 5 seconds.]:SECONDS: ' \
    '(--button)''--button[Add a button OK.]' \
    '(--socket)''--socket=[Set the pad'\''s control socket; by default, the variable PARAPH_SOCKET, else /run/paraph/org.paraph.Pad.]:PATH:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '::TEXT: '
}

__paraph_sign_arguments() {
  _arguments -s -S : \
    '(--reference)''--reference=[Store TEXT with the signature. It is not shown.]:TEXT: ' \
    '(--title)''--title=[Show one line above the prompt.]:TEXT: ' \
    '(--prompt)''--prompt=[Show what is signed. Without it, "Please sign here" in the pad'\''s language.]:TEXT: ' \
    '(--document)''--document=[Show the pages of FILE first\: a PDF, a PNG, or a text in UTF-8 whose name ends in .txt.]:FILE:_files -g "*.(pdf|png|txt)"' \
    '(--document-name)''--document-name=[Store TEXT as the document'\''s name. Without it, the file'\''s name.]:TEXT: ' \
    '(--early)''--early[Let the person sign before the document'\''s last page was shown.]' \
    '(--language)''--language=[Set the language of the pad'\''s words, such as de.]:CODE: ' \
    '(--timeout)''--timeout=[Give up after this time, at most 86400 seconds.]:SECONDS: ' \
    '(--cancellable)''--cancellable[Add a button Cancel.]' \
    '*'{-o+,--output=}'[Write the signature to FILE\: .png, .svg, .inkml, or .json for its strokes.]:FILE:_files -g "*.(png|svg|inkml|json)"' \
    '(--json)''--json[Print the signature'\''s description as JSON instead of its id\: also its digest, its time and the document'\''s pages.]' \
    '(-v --verbose)'{-v,--verbose}'[Print the pad'\''s state on standard error when it changes.]' \
    '(--socket)''--socket=[Set the pad'\''s control socket; by default, the variable PARAPH_SOCKET, else /run/paraph/org.paraph.Pad.]:PATH:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_spool_arguments() {
  local context state state_descr line curcontext=$curcontext
  typeset -A opt_args
  _arguments -C -s -S : \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '(-): :->command' \
    '(-)*:: :->arguments' && return
  case $state in
    command)
      local -a commands=(
        'list:List the signatures in the spool.'
        'show:Show an entry'\''s details, and whether it is complete.'
        'retry:Retry failed signatures.'
        'flush:Retry at once what waits for a sink.'
        'drop:Remove entries permanently.'
        'erase:Erase signatures whose persons ask for it.'
        'export:Copy signatures to a folder, for example on a USB stick.'
      )
      _describe -t commands command commands
      ;;
    arguments)
      case $words[1] in
        list) __paraph_spool_list_arguments ;;
        show) __paraph_spool_show_arguments ;;
        retry) __paraph_spool_retry_arguments ;;
        flush) __paraph_spool_flush_arguments ;;
        drop) __paraph_spool_drop_arguments ;;
        erase) __paraph_spool_erase_arguments ;;
        export) __paraph_spool_export_arguments ;;
      esac
      ;;
  esac
}

__paraph_spool_list_arguments() {
  _arguments -s -S : \
    '(--json)''--json[Print JSON, for programs.]' \
    '(--spool)''--spool=[Use the spool in FOLDER; by default, the one in /etc/paraph/paraph-handoff.conf, else /var/lib/paraph/spool.]:FOLDER:_files -/' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '*:PLACE:(new failed delivered)'
}

__paraph_spool_show_arguments() {
  _arguments -s -S : \
    '(--json)''--json[Print JSON, for programs.]' \
    '(--spool)''--spool=[Use the spool in FOLDER; by default, the one in /etc/paraph/paraph-handoff.conf, else /var/lib/paraph/spool.]:FOLDER:_files -/' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    ':ID:{compadd -- $(paraph spool list 2>/dev/null | cut -f 4 | grep -x "[0-9A-Za-z-]*")}'
}

__paraph_spool_retry_arguments() {
  _arguments -s -S : \
    '(--all)''--all[Retry all failed signatures.]' \
    '(--spool)''--spool=[Use the spool in FOLDER; by default, the one in /etc/paraph/paraph-handoff.conf, else /var/lib/paraph/spool.]:FOLDER:_files -/' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '*:ID:{compadd -- $(paraph spool list failed 2>/dev/null | cut -f 4 | grep -x "[0-9A-Za-z-]*")}'
}

__paraph_spool_flush_arguments() {
  _arguments -s -S : \
    '(--spool)''--spool=[Use the spool in FOLDER; by default, the one in /etc/paraph/paraph-handoff.conf, else /var/lib/paraph/spool.]:FOLDER:_files -/' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '*:SINK: '
}

__paraph_spool_drop_arguments() {
  _arguments -s -S : \
    '(--force)''--force[Remove entries that still wait for delivery, too.]' \
    '(--spool)''--spool=[Use the spool in FOLDER; by default, the one in /etc/paraph/paraph-handoff.conf, else /var/lib/paraph/spool.]:FOLDER:_files -/' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '*:ID:{compadd -- $(paraph spool list 2>/dev/null | cut -f 4 | grep -x "[0-9A-Za-z-]*")}'
}

__paraph_spool_erase_arguments() {
  _arguments -s -S : \
    '(--spool)''--spool=[Use the spool in FOLDER; by default, the one in /etc/paraph/paraph-handoff.conf, else /var/lib/paraph/spool.]:FOLDER:_files -/' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '*:ID:{compadd -- $(paraph spool list 2>/dev/null | cut -f 4 | grep -x "[0-9A-Za-z-]*")}'
}

__paraph_spool_export_arguments() {
  _arguments -s -S : \
    '(-o --output)'{-o+,--output=}'[Copy to FOLDER, which must exist.]:FOLDER:_files -/' \
    '(--all)''--all[Copy all signatures that wait or failed.]' \
    '(--spool)''--spool=[Use the spool in FOLDER; by default, the one in /etc/paraph/paraph-handoff.conf, else /var/lib/paraph/spool.]:FOLDER:_files -/' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '*:ID:{compadd -- $(paraph spool list 2>/dev/null | cut -f 4 | grep -x "[0-9A-Za-z-]*")}'
}

__paraph_status_arguments() {
  _arguments -s -S : \
    '(--json)''--json[Print JSON, for programs.]' \
    '(--socket)''--socket=[Set the pad'\''s control socket; by default, the variable PARAPH_SOCKET, else /run/paraph/org.paraph.Pad.]:PATH:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

__paraph_trace_arguments() {
  _arguments -s -S : \
    '(-m --model)'{-m+,--model=}'[Draw with this stroke model; by default, the signature'\''s own model, else the default model.]:MODEL:(default ductus uberSignature velocityStrip polyline)' \
    '(--units-per-mm)''--units-per-mm=[Set the device units per millimetre; by default, the device'\''s resolution, else 1.]:N: ' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    ':INPUT:_files'
}

__paraph_unseal_arguments() {
  _arguments -s -S : \
    '(--key)''--key=[The private key of a recipient in PEM, without a passphrase.]:FILE:_files -g "*.(pem|key)"' \
    '(--certificate)''--certificate=[The certificate of the recipient in PEM. Without it, every recipient of a file is tried.]:FILE:_files -g "*.(pem|crt)"' \
    '(-o --output)'{-o+,--output=}'[Write the files into FOLDER, which must exist. Without it, into the current folder.]:FOLDER:_files -/' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    ':ITEM:_files -g "*.(cms)"'
}

__paraph_verify_arguments() {
  _arguments -s -S : \
    '(--certificate)''--certificate=[The pad'\''s certificate in PEM, from a source that you trust. If its key was replaced, the file has the former certificates, too.]:FILE:_files -g "*.(pem|crt)"' \
    '(--ca)''--ca=[The certificates in PEM of authorities that you trust. The pad'\''s must lead to one of them, and be valid when the item was signed. Revocation is not checked.]:FILE:_files -g "*.(pem|crt)"' \
    '(--document)''--document=[The original of the document that was signed\: check that the manifest names it.]:FILE:_files' \
    '(--timestamp-ca)''--timestamp-ca=[Check the time stamps against the certificates in FILE (PEM)\: of the authority that issues them, or of one above it. An item without a time stamp is then an error.]:FILE:_files -g "*.(pem|crt)"' \
    '(--chain)''--chain[Check that no item is missing between the first and the last.]' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '*:ITEM:_files -/'
}

__paraph_watch_arguments() {
  _arguments -s -S : \
    '(--draw)''--draw[Draw the reports as dots on the pad'\''s panel.]' \
    '(-c --config)'{-c+,--config=}'[Read the pad'\''s configuration, which names its panel and touchscreen, from FILE.]:FILE:_files' \
    '(-h --help)'{-h,--help}'[Print this help.]' \
    '::DEVICE:_files'
}

if [[ $funcstack[1] == _paraph ]]; then
  __paraph_arguments "$@"
else
  compdef __paraph_arguments paraph
fi
