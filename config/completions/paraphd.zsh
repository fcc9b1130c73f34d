#compdef paraphd

__paraphd_arguments() {
  _arguments -s -S : \
    '(-c --config)'{-c+,--config=}'[Read the configuration from FILE.]:FILE:_files' \
    '(--check-config)''--check-config[Check the configuration, print a line for each problem, and exit\: 78 if there is an error, else 0.]' \
    '(--restore-console)''--restore-console[Restore the console after a pad that was killed. ExecStopPost= of the service runs this.]' \
    '(--version)''--version[Print the version.]' \
    '(--verbose)''--verbose[With --version\: print the versions of compiler and libraries too.]' \
    '(-h --help)'{-h,--help}'[Print this help.]'
}

if [[ $funcstack[1] == _paraphd ]]; then
  __paraphd_arguments "$@"
else
  compdef __paraphd_arguments paraphd
fi
