#!/bin/bash
# In the root, started by its systemd: every command of Operating.md as printed, and what it should lead to.
set -euo pipefail
. /root/sign_in.sh
doc=/root/Operating.md socket=/run/postern/postern.sock settings=/etc/postern/postern.conf
ran=$(mktemp)

# The lines of all blocks of a language, or of none for commands.
blocks() { awk -v fence='```'"$1" '/^```/ { open = !open; wanted = $0 == fence; next } open && wanted' $doc; }
blocks '' | sort -u > /root/commands
run() {
    grep -Fxq -- "$1" /root/commands || fail "not in Operating.md: $1"
    echo "$1" >> "$ran"
    echo "# $1" >&2
    eval "$1"
}
# shows TEXT COMMAND: the command prints a line with it.
shows() {
    run "$2" > /root/shown
    grep -qF -- "$1" /root/shown || fail "$2 says nothing of $1: $(cat /root/shown)"
}
# Five starts within ten seconds are more than systemd takes.
rested() { systemctl reset-failed postern.service postern.socket 2> /dev/null || true; }
property() { systemctl show --property "$1" --value postern.service; }
has() { stat -c '%A %U:%G' "$2" | grep -qx -- "$1" || fail "$2 is $(stat -c '%A %U:%G' "$2"), not $1"; }
refused() { if "$@" >/dev/null 2>&1; then fail "went well: $*"; fi; }

# Installed: nothing runs and nothing is open.
cd /root/first
shows 'installed and not started' 'apt install ./postern_*.deb'
refused systemctl is-active postern.service
refused systemctl is-active postern.socket
refused systemctl is-enabled postern.service
refused test -e $socket
has '-rw-r----- root:postern' $settings
has 'drwxr-x--- root:postern' /run/postern

# Without a provider it does not start, and says so.
refused systemctl start postern.service
until_true "systemd gives up" systemctl is-failed postern.service
until_true "why is in the log" eval "journalctl -u postern.service -o cat -n 20 | grep 'providers is missing'"
shows 'postern.conf:2:1: providers is missing' 'journalctl --no-pager -u postern.service -o cat -n 20'
run "sed -i 's|// \"providers\"|\"providers\"|; s|com\\.example\\.app|com.example.shop|' /etc/postern/postern.conf"
run 'systemctl reset-failed postern.service postern.socket'
run 'systemctl restart postern.service'
systemctl stop postern.service postern.socket
refused test -e $socket

run 'systemctl enable --now postern.service'
shows 'active (running)' 'systemctl --no-pager status postern.service'
check "the socket starts with the machine" systemctl is-enabled postern.socket
has 'srw-rw---- root:postern' $socket
has 'drwx------ postern:postern' /var/cache/postern

# Who may connect.
useradd --system backend
refused runuser -u backend -- curl -sS --unix-socket $socket http://postern/health/live
run 'usermod --append --groups postern backend'
shows '"nonce":"' 'runuser -u backend -- curl -sS --unix-socket /run/postern/postern.sock -X POST http://postern/v1/nonces'
shows '"provider":"apple"' 'runuser -u backend -- curl -sS --unix-socket /run/postern/postern.sock http://postern/v1/keys'
# There is no network, so no key of Apple's.
shows '"status":"fail"' 'curl -sS --unix-socket /run/postern/postern.sock http://postern/health/ready'

shows 'postern_build_info{' 'curl -sS --unix-socket /run/postern/postern.sock http://postern/metrics'

# The doctor, where there is no network.
status=0
run 'runuser -u postern -- env CACHE_DIRECTORY=/var/cache/postern postern doctor --config /etc/postern/postern.conf --socket /run/postern/postern.sock' > /root/doctor || status=$?
[ $status = 1 ] || fail "the doctor says $status: $(cat /root/doctor)"
for finding in 'OK  *settings ' 'OK  *user ' 'OK  *authorities ' 'OK  *cache_folder ' 'OK  *inherited_elsewhere ' \
    'PROBLEM  *keys_unreachable ' 'PROBLEM  *daemon_not_ready '; do
    grep -q "^$finding" /root/doctor || fail "the doctor does not say $finding: $(cat /root/doctor)"
done

# What the process may do.
pid=$(property MainPID)
for line in 'NoNewPrivs:.1' 'Seccomp:.2' 'CapEff:.0*' 'CapBnd:.0*'; do
    grep -qx "$line" "/proc/$pid/status" || fail "$line is not so: $(cat "/proc/$pid/status")"
done
[ "$(stat -c %U "/proc/$pid")" = postern ] || fail "it runs as $(stat -c %U "/proc/$pid")"
descriptors=$(awk '/^Max open files/ { print $4 }' "/proc/$pid/limits")
[ "$descriptors" -gt 16384 ] || fail "it has not raised its limit of descriptors: $descriptors"
run 'systemd-analyze --no-pager security --offline=yes --threshold=20 /usr/lib/systemd/system/postern.service' | tail -1

# Files beside the units, and a watchdog that is fed.
run 'postern api-key' > /root/key
sed -n 's/^key *//p' /root/key > /etc/postern/backend.key
chmod 600 /etc/postern/backend.key
mkdir -p /etc/systemd/system/postern.service.d
{ blocks ini | sed '/^SupplementaryGroups/d'; echo WatchdogSec=1; } > /etc/systemd/system/postern.service.d/own.conf
run 'systemctl daemon-reload'
run 'systemctl restart postern.service'
[ "$(property TimeoutStopUSec)" = '2min 20s' ] || fail "the file beside the unit does not count"
for _ in 1 2 3; do
    before=$(property WatchdogTimestampMonotonic)
    until_true "the watchdog is fed" eval "[ \$(systemctl show -p WatchdogTimestampMonotonic --value postern.service) != $before ]"
done
[ "$(property NRestarts)" = 0 ] || fail "the watchdog has bitten"

# A key that systemd hands over, settings that are taken over while it serves, and such that are not.
cp -p $settings /root/settings
sed -i 's|"listeners"|"api_keys": [{ "name": "backend", "credential": "backend" }], "listeners"|' $settings
run 'systemctl reload postern.service'
until_true "the settings are reloaded" eval "journalctl --no-pager -u postern.service -o cat | grep -q '\"event\":\"reloaded\"'"
# What only the service can see: systemd calls the reload done, and the daemon says what is wrong.
sed -i 's|"credential": "backend"|"credential": "another"|' $settings
systemctl reload postern.service
until_true "the daemon refuses the settings" eval "journalctl --no-pager -u postern.service -o cat | grep -q '\"event\":\"reload_failed\"'"
until_true "its status says so" eval "systemctl show --property StatusText --value postern.service | grep -q '^Serving under the settings of before'"
sed -i 's|"credential": "another"|"credential": "backend"|' $settings
sed -i 's|"listeners"|"listener"|' $settings
refused systemctl reload postern.service
curl -sS --fail --unix-socket $socket -X POST http://postern/v1/nonces > /dev/null || fail "it serves no more"
cp -p /root/settings $settings
run 'systemctl reload postern.service'
shows '"provider": "apple",  // /etc/postern/postern.conf:' 'runuser -u postern -- env CACHE_DIRECTORY=/var/cache/postern postern config --effective --config /etc/postern/postern.conf'
shows 'the settings are good' 'runuser -u postern -- postern check-config --config /etc/postern/postern.conf'

# Killed: who connects waits for the next one.
kill -KILL "$(property MainPID)"
check "served again" curl -sS --fail --unix-socket $socket -X POST http://postern/v1/nonces
[ "$(property NRestarts)" -le 1 ] || fail "it was started more than once"

# A sign-in with keys that are fetched, over the socket and through nginx.
mint nonce > /dev/null
printf '127.0.0.1 postern.example.com issuer.test\n' >> /etc/hosts
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -addext subjectAltName=DNS:postern.example.com,DNS:issuer.test \
    -keyout /etc/ssl/private/postern.example.com.key -out /etc/ssl/certs/postern.example.com.pem 2> /dev/null
rm -f /etc/nginx/sites-enabled/default
{
    blocks nginx
    echo 'server { listen 443 ssl; server_name issuer.test; root /srv;'
    echo 'ssl_certificate /etc/ssl/certs/postern.example.com.pem; ssl_certificate_key /etc/ssl/private/postern.example.com.key; }'
} > /etc/nginx/conf.d/postern.conf
systemctl restart nginx.service
run 'postern api-key' > /root/api-key
api_key=$(sed -n 's/^key *//p' /root/api-key)
provider="{ \"provider\": \"oidc\", \"name\": \"test\", \"issuer\": \"$issuer\", \"keys\": \"$issuer/keys.json\", \"ca_file\": \
\"/etc/ssl/certs/postern.example.com.pem\", \"audiences\": [{ \"client_id\": \"$client\", \"nonce\": \"issued\" }] }"
block_with() { blocks json | awk -v word="$1" '/^\{/ { text = "" } { text = text $0 "\n" } /^\}/ && text ~ word { printf "%s", text }'; }
block_with api_keys | sed -e "s|\"providers\": .*|\"providers\": [$provider],|" \
    -e "s|\"sha256\": \"[^\"]*\"|\"sha256\": \"$(sed -n 's/^sha256 *//p' /root/api-key)\"|" > $settings
run 'systemctl restart postern.service'
until_true "it is ready" curl -sS --fail --unix-socket $socket http://postern/health/ready
sign_in http://postern --unix-socket $socket
by_nginx=(--cacert /etc/ssl/certs/postern.example.com.pem)
sign_in https://postern.example.com "${by_nginx[@]}" -H "Authorization: Bearer $api_key"
curl -sS "${by_nginx[@]}" -X POST https://postern.example.com/v1/nonces | grep api_key_missing > /dev/null || fail "nginx lets everybody in"
[ "$(curl -sS "${by_nginx[@]}" -o /dev/null -w '%{http_code}' https://postern.example.com/health/live)" = 404 ] ||
    fail "nginx hands /health on"

# Accounts: a master key that only root can read, people, a backup that is put back, another key that signs.
has 'drwx------ postern:postern' /var/lib/postern
run 'install -d -m 0700 /etc/credstore'
run 'postern keys master /etc/credstore/postern.master-key'
has '-rw------- root:root' /etc/credstore/postern.master-key
cp -p $settings /root/settings.nginx
rested
block_with accounts | sed -e "s|\"providers\": .*|\"providers\": [$provider],|" > $settings
systemctl restart postern.service
until_true "accounts are there" curl -sS --fail --unix-socket $socket http://postern/.well-known/jwks.json
has '-rw------- postern:postern' /var/lib/postern/postern.db
runuser -u postern -- postern users create --data /var/lib/postern first@example.com > /dev/null
shows 'first@example.com' 'runuser -u postern -- postern users list --data /var/lib/postern'
shows 'account_created' 'runuser -u postern -- postern audit --data /var/lib/postern'
run 'install -d -o postern -g postern -m 0700 /var/backups/postern'
run 'runuser -u postern -- postern backup --data /var/lib/postern /var/backups/postern/postern.db' > /dev/null
runuser -u postern -- postern users create --data /var/lib/postern second@example.com > /dev/null
run 'systemctl stop postern.service postern.socket'
run 'runuser -u postern -- postern restore --yes --data /var/lib/postern /var/backups/postern/postern.db' > /dev/null
has '-rw------- postern:postern' /var/lib/postern/postern.db
rested
run 'systemctl start postern.service'
until_true "accounts are back" curl -sS --fail --unix-socket $socket http://postern/.well-known/jwks.json
runuser -u postern -- postern users list --data /var/lib/postern > /root/people
grep -q first@ /root/people || fail "the backup holds nobody"
if grep -q second@ /root/people; then fail "the backup was not put back"; fi
curl -sS --unix-socket $socket http://postern/.well-known/jwks.json > /root/keys.before
run 'runuser -u postern -- postern keys rotate --withdraw --config /etc/postern/postern.conf --master-key - < /etc/credstore/postern.master-key' > /dev/null
run 'systemctl reload postern.service'
until_true "another key signs" eval "! curl -sS --unix-socket $socket http://postern/.well-known/jwks.json | cmp -s - /root/keys.before"
sign_in http://postern --unix-socket $socket
# The master key is lost.
run 'systemctl stop postern.service postern.socket'
run '[ ! -e /etc/credstore/postern.master-key ] || mv /etc/credstore/postern.master-key /etc/credstore/postern.master-key.former'
run 'postern keys master /etc/credstore/postern.master-key'
run 'runuser -u postern -- postern keys rotate --withdraw --config /etc/postern/postern.conf --master-key - < /etc/credstore/postern.master-key' > /dev/null
rested
run 'systemctl start postern.service'
until_true "keys are there under another master key" curl -sS --fail --unix-socket $socket http://postern/.well-known/jwks.json
cp -p /root/settings.nginx $settings
rested
run 'systemctl restart postern.service'

# The issuer is away, and the copy of its keys serves.
rested
systemctl stop nginx.service
run 'systemctl restart postern.service'
sign_in http://postern --unix-socket $socket

# Upgrade: another process, the same socket and settings.
cd /root/second
before="$(property MainPID) $(stat -c %i $socket) $(sha256sum < $settings)"
run 'apt install ./postern_*.deb' > /root/upgrade
if grep -q 'not started' /root/upgrade; then fail "an upgrade is taken for an installation"; fi
after="$(property MainPID) $(stat -c %i $socket) $(sha256sum < $settings)"
[ "${before%% *}" != "${after%% *}" ] || fail "the old one still runs"
[ "${before#* }" = "${after#* }" ] || fail "socket or settings have changed: $before, $after"
has '-rw-r----- root:postern' $settings
sign_in http://postern --unix-socket $socket

# The log.
shows 'keys_failed' "journalctl --no-pager -u postern.service -o cat | grep -E '\"level\":\"(warning|error)\"'"
curl -sS --unix-socket $socket http://postern/nothing > /dev/null
until_true "a failed request has a line" eval "journalctl -u postern.service -o cat | grep path_unknown"
shows 'path_unknown' "journalctl --no-pager -u postern.service -o cat | grep '\"event\":\"request\"' | tail -n 5"
shows 'postern_verdicts_total' 'curl -sS --unix-socket /run/postern/postern.sock http://postern/metrics'
journalctl -u postern.service -o cat > /root/log
if grep 'thread priority' /root/log; then fail "the runtime complains in the log"; fi
for secret in "$api_key" "$(cut -d. -f3 <<< "$(mint nonce)")"; do
    if grep -qF -- "$secret" /root/log; then fail "a secret is in the log"; fi
done

# Uninstall.
run 'apt remove postern' > /dev/null
rm /etc/postern/backend.key
refused systemctl is-active postern.service
refused test -e $socket
check "the settings stay" test -e $settings
check "people stay" test -e /var/lib/postern/postern.db
run 'rm -rf /var/lib/postern /var/backups/postern /etc/credstore/postern.master-key /etc/credstore/postern.master-key.former'
run 'apt purge postern' > /dev/null
rm -r /etc/systemd/system/postern.service.d
find /etc /run /usr /var -name '*postern*' ! -path '/var/lib/apt/*' ! -path '/etc/ssl/*' ! -path '/etc/nginx/*' > /root/left
[ ! -s /root/left ] || fail "left behind: $(cat /root/left)"
refused getent passwd postern
refused getent group postern

sort -u "$ran" | diff /root/commands - || fail "these commands of Operating.md were not run"
echo "all $(wc -l < /root/commands) commands of Operating.md have done what it says"
