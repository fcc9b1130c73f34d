#compdef paraph-seal

__paraph_seal_arguments() {
  _arguments -s -S : \
    '(--unseal)''--unseal[Open the sealed file on standard input, and write it to standard output. "paraph unseal" runs this for the files of a signature.]' \
    '(--key)''--key=[With --unseal\: the recipient'\''s private key in PEM, without a passphrase. With --request and --self-sign\: the pad'\''s, which may also be in a TPM or token\: its URI begins with handle\: or pkcs11\:.]:KEY:_files -g "*.(pem|key)"' \
    '(--certificate)''--certificate=[With --unseal\: the recipient'\''s certificate in PEM. Without it, every recipient of the file is tried. With --verify\: the pad'\''s, or those of its former keys and of its key.]:FILE:_files -g "*.(pem|crt)"' \
    '(--sign-key)''--sign-key=[The pad'\''s key, for a request to sign\: a file or URI as for --key. Without it, the credential paraph-key of the service.]:KEY:_files -g "*.(pem|key)"' \
    '(--verify)''--verify[Check that the owner of the certificate has made the signature on standard input, or that an authority has certified its signer, whose name is written to standard output. "paraph verify" runs this.]' \
    '(--content)''--content=[With --verify\: what was signed. Without it, only the files of certificates are checked.]:FILE:_files -g "*.(json)"' \
    '(--ca)''--ca=[With --verify\: the certificates of authorities in PEM.]:FILE:_files -g "*.(pem|crt)"' \
    '(--time)''--time=[With --ca\: when the certificates must be valid, in seconds since 1970. Without it, now.]:SECONDS: ' \
    '(--new-key)''--new-key[Make a key, and write it to standard output in PEM. "paraph seal new-key" runs this.]' \
    '(--type)''--type=[The kind of key\: ec is on the curve P-256, rsa has 3072 bits.]:TYPE:(ec rsa)' \
    '(--request)''--request[Make a request for a certificate (PKCS #10), and write it to standard output in PEM. "paraph seal request" runs this.]' \
    '(--self-sign)''--self-sign[Make a certificate that the key itself signs, and write it to standard output in PEM. "paraph seal self-sign" runs this.]' \
    '(--subject)''--subject=[The pad'\''s distinguished name, such as /CN=counter-3/O=Post. A backslash makes the next character part of the value.]:NAME: ' \
    '(--days)''--days=[The certificate is valid from now for N days, 36500 at most.]:N: ' \
    '(--version)''--version[Print the version.]' \
    '(--verbose)''--verbose[With --version\: print the versions of compiler and libraries too.]' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

if [[ $funcstack[1] == _paraph-seal ]]; then
  __paraph_seal_arguments "$@"
else
  compdef __paraph_seal_arguments paraph-seal
fi
