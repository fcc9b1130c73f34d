#!/bin/sh
# Runs a program of this folder with moto and boto3 at hand. Without a program, it only installs them.
# usage: store.sh [PROGRAM ARGUMENT...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -gt 0 ]; then
  program=$here/$1
  shift
  set -- "$program" "$@"
fi
exec "$here/../../with-python.sh" 'moto[s3,iam,server]==5.2.5' "$@"
