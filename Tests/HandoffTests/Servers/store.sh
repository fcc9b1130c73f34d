#!/bin/sh
# Runs a program of this folder with moto and boto3 at hand, which are installed on first use.
# usage: store.sh PROGRAM ARGUMENT...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=$here/../../../.build/moto
if [ ! -e "$venv/ready" ]; then
  (
    flock 9
    [ -e "$venv/ready" ] || {
      python3 -m venv "$venv" && "$venv/bin/pip" install --quiet 'moto[s3,iam,server]==5.2.5' && touch "$venv/ready"
    }
  ) 9> "$venv.lock" >&2
fi
program=$1
shift
exec "$venv/bin/python" "$here/$program" "$@"
