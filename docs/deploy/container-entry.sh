#!/bin/sh
# "filemgr" in the container. Started as root, it switches to PUID and PGID, so that filemgr never runs as root and files get
# the owner that the host expects. With "docker run --user" it keeps that user.
set -eu

program=${PROGRAM:-/opt/filemgr/node_modules/filemgr/bin/filemgr}
data=${FILEMGR_DATA:-/database}
config=${CONFIG_FOLDER:-/config}

refuse() {
  printf 'filemgr: %s\n' "$1" >&2
  exit "${2:-2}"
}

if [ "$(id -u)" = 0 ]; then
  user=${PUID:-1000} group=${PGID:-1000}
  case $user:$group in
    *[!0-9:]* | :* | *:) refuse 'PUID and PGID must be numbers' ;;
    0:*) refuse 'PUID must not be 0: filemgr does not run as root here' ;;
  esac
  # A new volume belongs to root, and so may a File Browser database in it.
  [ -e "$data/store.json" ] || chown -R "$user:$group" "$data"
  owner=$(stat -c %u "$data")
  [ "$owner" = "$user" ] ||
    refuse "$data belongs to the account $owner: set PUID=$owner, or give the volume to $user with chown -R" 4
  exec setpriv --reuid="$user" --regid="$group" --clear-groups --no-new-privs -- "$0" "$@"
fi

[ -w "$data" ] ||
  refuse "$data belongs to the account $(stat -c %u "$data"): run the container with --user of that account, or choose another volume" 4

# That database may be readable by everyone. Root could not change this without another capability (FOWNER).
[ -e "$data/store.json" ] || chmod 0700 "$data" 2>/dev/null || true

if [ "${1:-}" != serve ]; then
  exec "$program" --data "$data" "$@"
fi
shift

case $(printf %s "${IMPORT_FILEBROWSER:-false}" | tr '[:upper:]' '[:lower:]') in
  true | t | 1 | yes | on) imports=yes ;;
  false | f | 0 | no | off) imports= ;;
  *) refuse "IMPORT_FILEBROWSER must be true or false, not \"$IMPORT_FILEBROWSER\"" ;;
esac
if [ -n "$imports" ] && [ ! -e "$data/store.json" ]; then
  "$program" --data "$data" import "$data/filebrowser.db" --root "${1:-/srv}" >&2
fi

# settings.json is File Browser's.
for name in filemgr.yaml filemgr.yml filemgr.json filemgr.toml settings.json; do
  if [ -f "$config/$name" ]; then
    set -- --config "$config/$name" "$@"
    break
  fi
done
exec "$program" --data "$data" serve "$@"
