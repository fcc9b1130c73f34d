#compdef paraph-seal

__paraph_seal_arguments() {
  _arguments -s -S : \
    '(--unseal)''--unseal[Open the sealed file on standard input, and write it to standard output. "paraph unseal" runs this for the files of a signature.]' \
    '(--key)''--key=[With --unseal\: the recipient'\''s private key in PEM, without a passphrase.]:FILE:_files -g "*.(pem|key)"' \
    '(--certificate)''--certificate=[With --unseal\: the recipient'\''s certificate in PEM. Without it, every recipient of the file is tried. With --verify\: the pad'\''s.]:FILE:_files -g "*.(pem|crt)"' \
    '(--sign-key)''--sign-key=[The pad'\''s key, for a request to sign. Without it, the credential paraph-key of the service.]:FILE:_files -g "*.(pem|key)"' \
    '(--verify)''--verify[Check that the owner of the certificate has made the signature on standard input. "paraph verify" runs this.]' \
    '(--content)''--content=[With --verify\: what was signed.]:FILE:_files -g "*.(json)"' \
    '(--version)''--version[Print the version.]' \
    '(--verbose)''--verbose[With --version\: print the versions of compiler and libraries too.]' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

if [[ $funcstack[1] == _paraph-seal ]]; then
  __paraph_seal_arguments "$@"
else
  compdef __paraph_seal_arguments paraph-seal
fi
