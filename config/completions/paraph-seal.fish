# Completions of paraph-seal for fish.

# Whether the words before the cursor name this command. Above the last subcommand no option takes a value.
function __paraph_seal_at
  set -l path
  for word in (commandline -opc)[2..]
    if test (count $path) -eq (count $argv)
      break
    end
    string match -q -- '-*' $word; or set -a path $word
  end
  test "$path" = "$argv"
end

# Whether an option is given only by the word before the cursor, whose value is being completed, or not at all.
function __paraph_seal_unused
  set -l words (commandline -opc)
  set -e words[-1]
  for word in $words
    contains -- (string split -m 1 = -- $word)[1] $argv; and return 1
  end
  true
end

complete -c paraph-seal -f
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt unseal' -l unseal -d 'Open the sealed file on standard input, and write it to standard output. "paraph unseal" runs this for the files of a signature.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --key' -l key -x -k -a '(__fish_complete_suffix .pem .key)' -d 'With --unseal: the recipient\'s private key in PEM, without a passphrase. With --request and --self-sign: the pad\'s, which may also be in a TPM or token: its URI begins with handle: or pkcs11:.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --certificate' -l certificate -x -k -a '(__fish_complete_suffix .pem .crt)' -d 'With --unseal: the recipient\'s certificate in PEM. Without it, every recipient of the file is tried. With --verify: the pad\'s, or those of its former keys and of its key.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --sign-key' -l sign-key -x -k -a '(__fish_complete_suffix .pem .key)' -d 'The pad\'s key, for a request to sign: a file or URI as for --key. Without it, the credential paraph-key of the service.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt verify' -l verify -d 'Check that the owner of the certificate has made the signature on standard input, or that an authority has certified its signer, whose name is written to standard output. "paraph verify" runs this.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --content' -l content -x -k -a '(__fish_complete_suffix .json)' -d 'With --verify: what was signed. Without it, only the files of certificates are checked.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --ca' -l ca -x -k -a '(__fish_complete_suffix .pem .crt)' -d 'With --verify: the certificates of authorities in PEM.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --time' -l time -x -d 'With --ca: when the certificates must be valid, in seconds since 1970. Without it, now.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt new-key' -l new-key -d 'Make a key, and write it to standard output in PEM. "paraph seal new-key" runs this.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --type' -l type -x -a 'ec rsa' -d 'The kind of key: ec is on the curve P-256, rsa has 3072 bits.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt request' -l request -d 'Make a request for a certificate (PKCS #10), and write it to standard output in PEM. "paraph seal request" runs this.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt self-sign' -l self-sign -d 'Make a certificate that the key itself signs, and write it to standard output in PEM. "paraph seal self-sign" runs this.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --subject' -l subject -x -d 'The pad\'s distinguished name, such as /CN=counter-3/O=Post. A backslash makes the next character part of the value.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --days' -l days -x -d 'The certificate is valid from now for N days, 36500 at most.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt version' -l version -d 'Print the version.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt verbose' -l verbose -d 'With --version: print the versions of compiler and libraries too.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt -s h help' -s h -l help -d 'Print this help.'
