#!/bin/sh
# Runs a program of Python's with one package at hand, which is installed on first use. Without a program, it only
# installs the package.
# usage: with-python.sh PACKAGE==VERSION [PROGRAM ARGUMENT...]
set -eu
package=$1
shift
venv=$(cd "$(dirname "$0")/.." && pwd)/.build/python/$package
if [ ! -e "$venv/ready" ]; then
  mkdir -p "${venv%/*}"
  # Python compiles what is imported; pip would compile everything.
  (
    flock 9
    [ -e "$venv/ready" ] || {
      python3 -m venv "$venv" &&
        "$venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "$package" && touch "$venv/ready"
    }
  ) 9> "$venv.lock" >&2
fi
[ $# -gt 0 ] || exit 0
# Python keeps what it compiles there, and not beside the sources.
unset PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX="$venv/bytecode"
exec "$venv/bin/python" "$@"
