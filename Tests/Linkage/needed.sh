#!/bin/sh
# What a program needs at run time, the Swift and C runtimes aside: OpenSSL and libcurl alone where it uses the library product; of the
# daemon, which is called with the word daemon, also what passwords, addresses and the store are made with.
set -eu
program=$1
own='libssl|libcrypto|libcurl'
for library in ${2:+libsodium libcrypt libunistring libidn2 libsqlite3}; do own="$own|$library"; done
needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in libcrypto libcurl; do
    echo "$needed" | grep -q "^$library\.so" || { echo "$program does not need $library: is it the right program?" >&2; exit 1; }
done
others=$(echo "$needed" | grep -vE "^($own)\.so" |
    grep -vE '^(libswift[A-Za-z_]*|libdispatch|libBlocksRuntime)\.so$' |
    grep -vE '^(lib(c|m|dl|rt|pthread|util|gcc_s|stdc\+\+)|ld-linux[a-z0-9-]*)\.so' || true)
[ -z "$others" ] || { echo "$program also needs:" $others >&2; exit 1; }
echo "$program needs, the runtimes aside:" $(echo "$needed" | grep -E "^($own)\.so")
