#!/bin/sh
# upload-by-curl.sh URL TOKEN FILE NAME: a client of tus 1.0 that knows nothing of filemgr. It asks for the extensions of
# the server, aborts one part, sends one with a wrong checksum, and resumes each time at the offset of the server. Prints the
# statuses.
set -eu
address=$1/api/tus/$4 token=$2 file=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
length=$(wc -c <"$file" | tr -d ' ')
part=262144

ask() { # status of a request; its headers are in $work/headers
  curl --silent --show-error --output /dev/null --dump-header "$work/headers" --write-out '%{http_code}' \
    --header "X-Auth: $token" --header 'Tus-Resumable: 1.0.0' "$@"
}
header() { sed -n "s/^$1: *//Ip" "$work/headers" | tr -d '\r'; }
offset() {
  ask --head "$address" >/dev/null
  header upload-offset
}
send() { # FILE OFFSET [curl options]
  sent=$1 from=$2
  shift 2
  ask --request PATCH --header 'Content-Type: application/offset+octet-stream' --header "Upload-Offset: $from" \
    --data-binary "@$sent" "$@" "$address"
}
sha256() { openssl dgst -sha256 -binary "$1" | openssl base64 -A; }
cut_part() { tail -c "+$(($1 + 1))" "$file" | head -c "$part" >"$work/part"; }

curl --silent --request OPTIONS --dump-header "$work/headers" "$address"
header tus-extension | grep -q checksum
echo "begin $(ask --request POST --header "Upload-Length: $length" --header 'Upload-Metadata: filename YQ==' "$address")"

# Announces more bytes than it sends, so the server waits for the rest.
cut_part 0
send "$work/part" 0 --header "Content-Length: $((part * 2))" --max-time 1 >/dev/null && exit 1
from=$(offset)
[ "$from" -le "$part" ]

cut_part "$from"
echo "wrong $(send "$work/part" "$from" --header "Upload-Checksum: sha256 $(sha256 "$file")")"
[ "$(offset)" = "$from" ]
while [ "$from" -lt "$length" ]; do
  cut_part "$from"
  status=$(send "$work/part" "$from" --header "Upload-Checksum: sha256 $(sha256 "$work/part")")
  [ "$status" = 204 ]
  from=$(header upload-offset)
done
echo "whole $(ask --head "$address") $(header upload-offset)"
