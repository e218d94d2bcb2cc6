#!/bin/bash
# In the root, where no systemd runs: the unit's own command with the settings as they are installed, but for a provider, and a
# socket that systemd-socket-activate hands over.
set -euo pipefail
. /root/sign_in.sh
mint nonce > /dev/null
# shellcheck disable=SC2016
sed -i 's|^  // "providers".*|"providers": [{ "provider": "oidc", "name": "test", "issuer": "'$issuer'", "keys": "'$key_set'",\
    "audiences": [{ "client_id": "'$client'", "nonce": "issued" }] }],|' /etc/postern/postern.conf
folder=$(mktemp -d) && chown postern "$folder"
command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/postern.service)
# shellcheck disable=SC2086
setpriv --reuid=postern --regid=postern --clear-groups env -i CACHE_DIRECTORY="$folder" \
    systemd-socket-activate --listen="$folder/postern.sock" $command 2> "$folder/log" &
trap 'kill $! 2>/dev/null || true; cat "$folder/log" >&2' EXIT
until_true "the socket is there" test -S "$folder/postern.sock"
sign_in http://postern --unix-socket "$folder/postern.sock"
kill $!
wait $! || fail "the daemon ended with $?"
trap - EXIT
