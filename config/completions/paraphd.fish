# Completions of paraphd for fish.

# Whether the words before the cursor name this command. Above the last subcommand no option takes a value.
function __paraphd_at
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
function __paraphd_unused
  set -l words (commandline -opc)
  set -e words[-1]
  for word in $words
    contains -- (string split -m 1 = -- $word)[1] $argv; and return 1
  end
  true
end

complete -c paraphd -f
complete -c paraphd -n '__paraphd_at; and __paraphd_unused -c --config' -s c -l config -r -F -d 'Read the configuration from FILE.'
complete -c paraphd -n '__paraphd_at; and not __fish_contains_opt check-config' -l check-config -d 'Check the configuration, print a line for each problem, and exit: 78 if there is an error, else 0.'
complete -c paraphd -n '__paraphd_at; and not __fish_contains_opt restore-console' -l restore-console -d 'Restore the console after a pad that was killed. ExecStopPost= of the service runs this.'
complete -c paraphd -n '__paraphd_at; and not __fish_contains_opt version' -l version -d 'Print the version.'
complete -c paraphd -n '__paraphd_at; and not __fish_contains_opt verbose' -l verbose -d 'With --version: print the versions of compiler and libraries too.'
complete -c paraphd -n '__paraphd_at; and not __fish_contains_opt -s h help' -s h -l help -d 'Print this help.'
