#!/bin/sh
# Runs a program of this folder with moto and boto3 at hand. Without a program, it only installs them.
# usage: store.sh [PROGRAM ARGUMENT...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
set -- "$here/../../with-python.sh" 'moto[s3,iam,server]==5.2.5' "$@"
[ $# -gt 2 ] || exec "$@" -c pass
launcher=$1 packages=$2 program=$3
shift 3
exec "$launcher" "$packages" "$here/$program" "$@"
