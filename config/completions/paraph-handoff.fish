# Completions of paraph-handoff for fish.

# Whether the words before the cursor name this command. Above the last subcommand no option takes a value.
function __paraph_handoff_at
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
function __paraph_handoff_unused
  set -l words (commandline -opc)
  set -e words[-1]
  for word in $words
    contains -- (string split -m 1 = -- $word)[1] $argv; and return 1
  end
  true
end

complete -c paraph-handoff -f
complete -c paraph-handoff -n '__paraph_handoff_at; and __paraph_handoff_unused -c --config' -s c -l config -r -F -d 'Read the configuration from FILE.'
complete -c paraph-handoff -n '__paraph_handoff_at; and not __fish_contains_opt check-config' -l check-config -d 'Check the configuration, print a line for each problem, and exit: 78 if there is an error, else 0. A valid setting that can lose a signature, such as MQTT 3.1.1, is a warning.'
complete -c paraph-handoff -n '__paraph_handoff_at; and not __fish_contains_opt once' -l once -d 'Try to deliver everything that waits, and exit: 0 if everything was delivered, 75 if something is left or failed, or if that is unknown.'
complete -c paraph-handoff -n '__paraph_handoff_at; and not __fish_contains_opt version' -l version -d 'Print the version.'
complete -c paraph-handoff -n '__paraph_handoff_at; and not __fish_contains_opt verbose' -l verbose -d 'With --version: print the versions of compiler and libraries too.'
complete -c paraph-handoff -n '__paraph_handoff_at; and not __fish_contains_opt -s h help' -s h -l help -d 'Print this help.'
