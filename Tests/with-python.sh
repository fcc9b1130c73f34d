#!/bin/sh
# Runs a program of Python's with one package at hand, which is installed on first use. Without a program, it only
# installs the package.
# usage: with-python.sh PACKAGE==VERSION [PROGRAM ARGUMENT...]
set -eu
package=$1
shift
folder=$(cd "$(dirname "$0")/.." && pwd)/.build/python
venv=$folder/$package
# Installs into a folder, once for all that ask for it. What a run that was killed has left there is removed.
once() {
  (
    flock 9
    [ -e "$1/ready" ] || { "$2" && touch "$1/ready"; }
  ) 9> "$1.lock" >&2
}
# One for all: a pip of its own would be most of the time of a small package.
install_pip() { python3 -m venv --clear "$folder/pip"; }
# Python compiles what is imported; pip would compile everything.
install_package() {
  python3 -m venv --clear --without-pip "$venv" &&
    "$folder/pip/bin/python" -m pip --python "$venv/bin/python" install --quiet --no-compile \
      --disable-pip-version-check "$package"
}
if [ ! -e "$venv/ready" ]; then
  mkdir -p "$folder"
  once "$folder/pip" install_pip
  once "$venv" install_package
fi
[ $# -gt 0 ] || exit 0
# Python keeps what it compiles there, and not beside the sources.
unset PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX="$venv/bytecode"
exec "$venv/bin/python" "$@"
