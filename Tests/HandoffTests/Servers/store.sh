#!/bin/sh
# Runs a program of this folder with moto and boto3 at hand. usage: store.sh PROGRAM ARGUMENT...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$1
shift
exec "$here/../../with-python.sh" 'moto[s3,iam,server]==5.2.5' "$here/$program" "$@"
