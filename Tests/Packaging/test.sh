#!/bin/bash
# Tests the Debian package: test.sh PACKAGE PROGRAM, as root. In a root of Debian 12, which is kept in .build/packaging.
set -euo pipefail
package=$(realpath "$1") program=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
cache=$source/.build/packaging
base=$cache/root work=$cache/work
root=$work/root
. "$here/sign_in.sh"
step() { echo "== $* ($SECONDS s)"; }

rm -rf "$work" && mkdir -p "$work"

step "made again without privileges, to the byte"
mkdir -p "$work/tree/Sources" "$work/made" "$work/second"
cp -r "$source/Sources/Packaging" "$work/tree/Sources"
cp -r "$source/Docs" "$source/LICENSE" "$program" "$work/tree"
made=$(mktemp -d) && chown -R 65534:65534 "$made" && cp -r "$work/tree" "$made/tree"
trap 'rm -rf "$made"' EXIT
setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent "$made/tree/Sources/Packaging/build.sh" \
    "$made/tree/$(basename "$program")" "$made" > /dev/null
cmp "$package" "$made/$(basename "$package")"
version=$(dpkg-deb -f "$package" Version)
dpkg --compare-versions "$version" lt "${version%%~*}.1"
"$source/Sources/Packaging/build.sh" "$program" "$work/second" "${version%%~*}.1" > /dev/null

step "contents"
dpkg-deb --contents "$package" | awk '!/^d/ { print $1, $2, substr($6, 2) }' | sort -k3 | diff <(sort -k3 "$here/contents.txt") -
dpkg-deb --contents "$package" | awk '/^d/ && $1 " " $2 != "drwxr-xr-x root/root"' | diff /dev/null -

if command -v lintian > /dev/null; then
    step "lintian"
    # Who builds it for others says who they are (DEB_MAINTAINER). The settings are not for everybody to read.
    lintian --allow-root --fail-on error,warning "$package" --suppress-tags \
        bogus-mail-host,bogus-mail-host-in-debian-changelog,non-standard-file-perm
fi

[ -e "$base.done" ] || {
    step "debootstrap, once"
    rm -rf "$base"
    debootstrap --variant=minbase bookworm "$base" > "$cache/debootstrap.log" || fail "see $cache/debootstrap.log"
    touch "$base.done"
}
cp -a "$base" "$root"
in_root() { DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }
# The runtime of Swift reads its arguments there.
with_proc() { unshare --mount sh -ec 'mount -t proc proc "$0/proc"; exec chroot "$0" "$@"' "$root" "$@"; }
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; fail "$*"; }; }
# No service starts, whatever is installed.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d" && chmod 755 "$root/usr/sbin/policy-rc.d"
cp "$package" "$root/root/postern.deb"
cp "$here/sign_in.sh" "$here/activate.sh" "$here/guest.sh" "$source/Docs/Operating.md" "$root/root"

step "what it depends on"
quietly in_root apt-get update -qq
quietly in_root apt-get satisfy -y -qq --no-install-recommends "$(dpkg-deb -f "$package" Depends)"
everything() {
    (cd "$root" && find etc run usr var -printf '%M %u:%g %P %l\n' | grep -vE ' (var/)?(lib/dpkg|lib/apt|log|cache/ldconfig|cache/apt)' | sort
     cat etc/passwd etc/group)
}
# It leaves a file in /run.
with_proc systemd-analyze verify --man=no /usr/lib/systemd/system/basic.target 2> /dev/null
everything > "$work/before"

step "installed where no systemd runs"
quietly in_root dpkg --install /root/postern.deb
grep -q 'installed and not started' "$work/log" || fail "it does not say how to go on"
# Again, as after a failure in between.
quietly in_root /var/lib/dpkg/info/postern.postinst configure
quietly in_root dpkg --install /root/postern.deb
[ "$(in_root stat -c '%a %U:%G' /etc/postern/postern.conf)" = "640 root:postern" ] || fail "the mode of the settings"
in_root getent passwd postern | grep -q ':/nonexistent:/usr/sbin/nologin$' || fail "the user"
in_root dpkg --verify postern | diff /dev/null -
if in_root ldd /usr/bin/postern | grep 'not found'; then fail "a library is missing"; fi
with_proc postern --version
find "$root/etc/systemd" -name '*postern*' | diff /dev/null - || fail "it is enabled"

step "its units"
for unit in service socket; do
    with_proc systemd-analyze verify --man=no /usr/lib/systemd/system/postern.$unit 2>&1 | diff /dev/null -
done
with_proc systemd-analyze --no-pager security --offline=yes --threshold=20 /usr/lib/systemd/system/postern.service | tail -1

step "removed and purged"
in_root chmod 600 /etc/postern/postern.conf
quietly in_root dpkg --remove postern
quietly in_root dpkg --install /root/postern.deb
[ "$(in_root stat -c '%a' /etc/postern/postern.conf)" = 600 ] || fail "an installation has undone what the operator did"
touch "$root/etc/postern/own"
quietly in_root dpkg --purge postern
check "the user stays while there are files that may be its" in_root getent passwd postern
rm "$root/etc/postern/own"
quietly in_root dpkg --install /root/postern.deb
quietly in_root dpkg --purge postern
everything | diff "$work/before" - || fail "not as it was before"

step "started by systemd-socket-activate"
quietly in_root apt-get install -y -qq --no-install-recommends curl nginx openssl
quietly in_root dpkg --install /root/postern.deb
with_proc /root/activate.sh
quietly in_root dpkg --purge postern

step "under systemd"
rm "$root/usr/sbin/policy-rc.d"
mkdir -p "$root/root/first" "$root/root/second"
cp "$package" "$root/root/first" && cp "$work"/second/*.deb "$root/root/second"
echo 'APT::Get::Assume-Yes "true";' > "$root/etc/apt/apt.conf.d/99-no-questions"
cat > "$root/etc/systemd/system/guest.service" <<'UNIT'
[Unit]
SuccessAction=exit
FailureAction=exit
SuccessActionExitStatus=0
FailureActionExitStatus=1
[Service]
Type=oneshot
ExecStart=/root/guest.sh
StandardOutput=append:/root/output
StandardError=inherit
TimeoutStartSec=300
UNIT
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
ln -s ../guest.service "$root/etc/systemd/system/multi-user.target.wants/guest.service"
status=0
timeout --foreground 400 systemd-nspawn --quiet --register=no --keep-unit --link-journal=no --private-network \
    --directory="$root" --boot < /dev/null > "$work/boot.log" 2>&1 || status=$?
[ -e "$root/root/output" ] || { tail "$work/boot.log" >&2; fail "systemd cannot be started here in a container"; }
cat "$root/root/output"
[ $status = 0 ] || fail "under systemd; see $root/root/output and $work/boot.log"
step "done"
rm -rf "$work"
