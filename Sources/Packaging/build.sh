#!/bin/bash
# Puts the Debian package together: build.sh PROGRAM FOLDER [VERSION]. Needs no privileges; prints the file that it has made.
# SOURCE_DATE_EPOCH is the time of everything inside.
set -euo pipefail
program=$(realpath "$1") folder=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
docs=$here/../../Docs
: "${SOURCE_DATE_EPOCH:?the time of the commit, in seconds since 1970}"
maintainer=${DEB_MAINTAINER:-The Postern authors <postern@localhost>}
# 0.1.0-dev comes before 0.1.0, which Debian writes with a tilde.
version=${3:-$("$program" --version | sed -n 's/^postern //p' | tr - '~')}
architecture=$(dpkg --print-architecture)
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

place() { install -D -m "$1" "$2" "$root/$3"; }
packed() { mkdir -p "$(dirname "$root/$1")" && gzip -9n > "$root/$1"; }
filled() {
    sed -e "s|@VERSION@|$version|; s|@ARCHITECTURE@|$architecture|; s|@MAINTAINER@|$maintainer|; s|@SIZE@|${size-}|" \
        -e "s|@LIBRARIES@|${libraries-}|; s|@DATE@|$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")|" "$here/$1"
}

place 755 "$program" usr/bin/postern
place 644 "$here/postern.service" usr/lib/systemd/system/postern.service
place 644 "$here/postern.socket" usr/lib/systemd/system/postern.socket
place 644 "$here/postern.sysusers" usr/lib/sysusers.d/postern.conf
place 644 "$here/postern.tmpfiles" usr/lib/tmpfiles.d/postern.conf
place 640 "$here/postern.conf" etc/postern/postern.conf

"$program" manual postern | packed usr/share/man/man1/postern.1.gz
"$program" manual postern.conf | packed usr/share/man/man5/postern.conf.5.gz
"$program" completion bash > "$work/bash" && place 644 "$work/bash" usr/share/bash-completion/completions/postern
"$program" completion zsh > "$work/zsh" && place 644 "$work/zsh" usr/share/zsh/vendor-completions/_postern
"$program" completion fish > "$work/fish" && place 644 "$work/fish" usr/share/fish/vendor_completions.d/postern.fish

for page in Operating Settings HTTP-API Errors Output Doctor Metrics Sessions Passwords Storage Issuer; do
    packed usr/share/doc/postern/$page.md.gz < "$docs/$page.md"
done
packed usr/share/doc/postern/openapi.json.gz < "$docs/openapi.json"
filled changelog | packed usr/share/doc/postern/changelog.gz
place 644 "$here/../../LICENSE" usr/share/doc/postern/copyright

mkdir -p "$work/debian" "$root/DEBIAN"
printf 'Source: postern\n\nPackage: postern\nArchitecture: any\n' > "$work/debian/control"
libraries=$(cd "$work" && dpkg-shlibdeps -O -e"$root/usr/bin/postern" | sed -n 's/^shlibs:Depends=//p')
[ -n "$libraries" ] || { echo "build.sh: no library is needed: is $program the right program?" >&2; exit 1; }
size=$(find "$root" -path "$root/DEBIAN" -prune -o -type f -printf '%s\n' -o -printf '1\n' |
    awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
filled control > "$root/DEBIAN/control"
echo /etc/postern/postern.conf > "$root/DEBIAN/conffiles"
install -m 755 "$here/postinst" "$here/prerm" "$here/postrm" "$root/DEBIAN"
(cd "$root" && find . -path ./DEBIAN -prune -o -type f ! -path './etc/*' -printf '%P\n' | LC_ALL=C sort | xargs md5sum) \
    > "$work/md5sums"
install -m 644 "$work/md5sums" "$root/DEBIAN/md5sums"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

file=$folder/postern_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$file" >/dev/null
echo "$file"
