#!/bin/sh
# Asks the daemon for a nonce, or for the verdict about a token. Needs curl.
#   client.sh PLACE nonce                       prints the nonce and what the client sends to the issuer
#   client.sh PLACE verify NONCE < TOKEN        status 0: accepted, 1: refused, 3: no verdict
# PLACE is the path of the socket, or ADDRESS:PORT; over TCP the API key is in the variable POSTERN_API_KEY.
set -eu

usage() {
    sed -n '2,5s/^# *//p' "$0" >&2
    exit 2
}

no_verdict() {
    echo "no verdict: $1" >&2
    exit 3
}

# The answer to a path and a body, and the status on a line of its own. All that is secret goes to curl by its standard
# input, where no other user sees it.
ask() {
    case $place in
    */*) printf 'unix-socket = "%s"\nurl = "http://postern%s"\n' "$place" "$1" ;;
    *) printf 'url = "http://%s%s"\n' "$place" "$1" ;;
    esac | {
        cat
        if [ -n "${POSTERN_API_KEY-}" ]; then printf 'header = "Authorization: Bearer %s"\n' "$POSTERN_API_KEY"; fi
        printf 'data-raw = "%s"\n' "$(echo "$2" | sed 's/"/\\"/g')"
    } | curl --silent --show-error --max-time 10 --header 'Content-Type: application/json' \
        --write-out '\n%{http_code}' --config - || no_verdict 'the daemon cannot be asked'
}

# The text of a member that stands before the claims, which are the issuer's own words.
member() {
    echo "$answer" | sed 's/,"claims":.*//' | sed -n 's/.*"'"$1"'":"\([^"\\]*\)".*/\1/p'
}

check_status() {
    case $answer in
    *'
20'[0-9]) ;;
    *) no_verdict "$(member code): $(member detail)" ;;
    esac
}

[ $# -ge 2 ] || usage
place=$1
case $2,$# in
nonce,2)
    answer=$(ask /v1/nonces '{}')
    check_status
    echo "$(member nonce) $(member nonce_sha256)"
    ;;
verify,3)
    token=$(cat)
    # What a stranger sent must not become JSON of its own.
    case $token$3 in
    *[!A-Za-z0-9._-]*) echo 'refused: token_malformed'; exit 1 ;;
    esac
    answer=$(ask /v1/verify "{\"token\":\"$token\",\"nonce\":\"$3\"}")
    check_status
    case $answer in
    '{"verdict":"accepted",'*)
        echo "signed in: $(member subject) of $(member issuer)"
        ;;
    *)
        echo "refused: $(member code)"
        member message >&2
        exit 1
        ;;
    esac
    ;;
*) usage ;;
esac
