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
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --key' -l key -x -k -a '(__fish_complete_suffix .pem .key)' -d 'With --unseal: the recipient\'s private key in PEM, without a passphrase.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --certificate' -l certificate -x -k -a '(__fish_complete_suffix .pem .crt)' -d 'With --unseal: the recipient\'s certificate in PEM. Without it, every recipient of the file is tried. With --verify: the pad\'s.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --sign-key' -l sign-key -x -k -a '(__fish_complete_suffix .pem .key)' -d 'The pad\'s key, for a request to sign. Without it, the credential paraph-key of the service.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt verify' -l verify -d 'Check that the owner of the certificate has made the signature on standard input. "paraph verify" runs this.'
complete -c paraph-seal -n '__paraph_seal_at; and __paraph_seal_unused --content' -l content -x -k -a '(__fish_complete_suffix .json)' -d 'With --verify: what was signed.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt version' -l version -d 'Print the version.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt verbose' -l verbose -d 'With --version: print the versions of compiler and libraries too.'
complete -c paraph-seal -n '__paraph_seal_at; and not __fish_contains_opt -s h help' -s h -l help -d 'Print this help.'
