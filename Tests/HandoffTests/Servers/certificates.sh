#!/bin/sh
# Makes an authority, a server of it for localhost, and a client. usage: certificates.sh FOLDER
set -eu
cd "$1"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Test authority" -keyout ca.key -out ca.pem
for who in server client; do
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$who" -keyout $who.key -out $who.csr
  names=DNS:localhost,IP:127.0.0.1
  [ $who = server ] || names=DNS:client.example
  echo "subjectAltName=$names" > $who.ext
  openssl x509 -req -in $who.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile $who.ext -out $who.pem
done
