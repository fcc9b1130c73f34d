#!/bin/sh
# Runs a program of this folder with the varlink package at hand, which is installed on first use.
# usage: with-varlink.sh PROGRAM ARGUMENT...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=$here/../../../.build/varlink
if [ ! -e "$venv/ready" ]; then
  (
    flock 9
    [ -e "$venv/ready" ] || {
      python3 -m venv "$venv" && "$venv/bin/pip" install --quiet 'varlink==31.0.0' && touch "$venv/ready"
    }
  ) 9> "$venv.lock" >&2
fi
program=$1
shift
exec "$venv/bin/python" "$here/$program" "$@"
