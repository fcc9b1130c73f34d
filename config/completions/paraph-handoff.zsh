#compdef paraph-handoff

__paraph_handoff_arguments() {
  _arguments -s -S : \
    '(-c --config)'{-c+,--config=}'[Read the configuration from FILE.]:FILE:_files' \
    '(--check-config)''--check-config[Check the configuration, print a line for each problem, and exit\: 78 if there is an error, else 0. A valid setting that can lose a signature, such as MQTT 3.1.1, is a warning.]' \
    '(--once)''--once[Try to deliver everything that waits, and exit\: 0 if everything was delivered, 75 if something is left or failed, or if that is unknown.]' \
    '(--version)''--version[Print the version.]' \
    '(--verbose)''--verbose[With --version\: print the versions of compiler and libraries too.]' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

if [[ $funcstack[1] == _paraph-handoff ]]; then
  __paraph_handoff_arguments "$@"
else
  compdef __paraph_handoff_arguments paraph-handoff
fi
