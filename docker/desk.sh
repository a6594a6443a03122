#!/bin/sh
# Shows what `research` opens on a screen that a browser reaches at port 6080 (noVNC).
# The password of the screen is the first line of DESK_PASSWORD_FILE; it is read again at each connection.
set -eu
umask 077
password="${DESK_PASSWORD_FILE:-/run/secrets/desk_password}"
screen="${DESK_SCREEN:-1}"
vnc_port="${DESK_VNC_PORT:-5900}"
test -s "$password" || { echo "desk: there is no password in $password" >&2; exit 2; }
export DISPLAY=":$screen"
Xvfb "$DISPLAY" -screen 0 1280x900x24 -nolisten tcp &
for _ in 1 2 3 4 5 6 7 8 9 10; do
    test -S "/tmp/.X11-unix/X$screen" && break
    sleep 0.5
done
matchbox-window-manager -use_titlebar yes &
x11vnc -display "$DISPLAY" -localhost -rfbport "$vnc_port" -forever -shared -quiet -passwdfile "read:$password" &
websockify --web /usr/share/novnc "${DESK_PORT:-6080}" "127.0.0.1:$vnc_port" &
exec research "$@"
