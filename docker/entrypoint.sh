#!/bin/sh
# Starts a service: reads its secrets as root, becomes the user `research`, and gives up every capability.
# Files of secrets belong to whoever made them on the host, usually with 0600, so only root can read them; the service
# gets copies of its own in memory. Started as another user, it changes nothing.
set -eu
user="${RESEARCH_UID:-10001}"
folder="${RESEARCH_SECRETS_FOLDER:-/run/research}"

if [ "$(id -u)" = 0 ]; then
    install -d -m 0711 "$folder"  # root's: without its other capabilities root could not write into that of another
    for name in $(env | sed -n 's/^\([A-Z][A-Z0-9_]*_FILE\)=.*/\1/p'); do
        path=$(printenv "$name")
        test -n "$path" || continue
        test -r "$path" || { echo "$name: cannot read $path" >&2; exit 2; }
        rm -f "$folder/$name"
        (umask 0377 && cat "$path" > "$folder/$name")
        chown "$user:$user" "$folder/$name"
        export "$name=$folder/$name"
    done
    exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs \
        --inh-caps=-all --bounding-set=-all -- "$@"
fi
exec "$@"
