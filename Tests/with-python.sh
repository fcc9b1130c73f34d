#!/bin/sh
# Runs a program of Python's with one package at hand, which is installed on first use.
# usage: with-python.sh PACKAGE==VERSION PROGRAM ARGUMENT...
set -eu
package=$1
shift
venv=$(cd "$(dirname "$0")/.." && pwd)/.build/python/$package
if [ ! -e "$venv/ready" ]; then
  mkdir -p "${venv%/*}"
  (
    flock 9
    [ -e "$venv/ready" ] || {
      python3 -m venv "$venv" && "$venv/bin/pip" install --quiet "$package" && touch "$venv/ready"
    }
  ) 9> "$venv.lock" >&2
fi
exec "$venv/bin/python" "$@"
