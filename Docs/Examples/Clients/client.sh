#!/bin/sh
# Asks the daemon for a nonce, or for the verdict about a token. Needs curl.
#   client.sh SOCKET nonce                      prints the nonce and what the client sends to the issuer
#   client.sh SOCKET verify NONCE < TOKEN       status 0: accepted, 1: refused, 3: no verdict
set -eu
socket=$1

ask() {
    curl --silent --show-error --max-time 10 --unix-socket "$socket" -H 'Content-Type: application/json' \
        --data-binary @- "http://postern$1"
}

# The text of a member that stands before the claims, which are the issuer's own words.
member() {
    sed 's/,"claims":.*//' | sed -n 's/.*"'"$1"'":"\([^"\\]*\)".*/\1/p'
}

case $2 in
nonce)
    answer=$(printf '{}' | ask /v1/nonces)
    echo "$(echo "$answer" | member nonce) $(echo "$answer" | member nonce_sha256)"
    ;;
verify)
    token=$(cat)
    # What a stranger sent must not become JSON of its own.
    case $token$3 in
    *[!A-Za-z0-9._-]*) echo 'refused: token_malformed'; exit 1 ;;
    esac
    answer=$(printf '{"token":"%s","nonce":"%s"}' "$token" "$3" | ask /v1/verify)
    case $answer in
    '{"verdict":"accepted",'*)
        echo "signed in: $(echo "$answer" | member subject) of $(echo "$answer" | member issuer)"
        ;;
    '{"verdict":"refused",'*)
        echo "refused: $(echo "$answer" | member code)"
        exit 1
        ;;
    *)
        echo "try again later: $(echo "$answer" | member code)"
        exit 3
        ;;
    esac
    ;;
esac
