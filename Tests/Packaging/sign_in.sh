# For the other scripts: a sign-in with a token that is minted for the issuer of tests.
issuer=https://issuer.test client=com.example.shop key=/root/issuer.pem key_set=/srv/keys.json

fail() { echo "FAILED: $*" >&2; exit 1; }
# check WHAT COMMAND...: the command succeeds.
check() { local what=$1; shift; "$@" >/dev/null || fail "$what: $*"; }
# until_true WHAT COMMAND...: it succeeds within 30 seconds.
until_true() {
    local what=$1 end=$((SECONDS + 30)); shift
    until "$@" >/dev/null 2>&1; do [ $SECONDS -lt $end ] || fail "$what: $*"; sleep 0.1; done
}

mint() { postern mint --provider oidc --issuer $issuer --audience $client --nonce "$1" --key $key --keys-out $key_set; }

# sign_in URL CURL-OPTION...: a nonce, a token with it, the verdict; and once more, when the nonce is used.
sign_in() {
    local url=$1 nonce token body; shift
    nonce=$(curl -sS --fail "$@" -X POST "$url/v1/nonces" | sed 's/.*"nonce":"\([^"]*\)".*/\1/')
    token=$(mint "$nonce")
    body="{\"token\":\"$token\",\"nonce\":\"$nonce\"}"
    curl -sS "$@" -H 'Content-Type: application/json' -d "$body" "$url/v1/verify" | grep '"verdict":"accepted"' > /dev/null ||
        fail "the token was not accepted at $url"
    curl -sS "$@" -H 'Content-Type: application/json' -d "$body" "$url/v1/verify" | grep '"code":"nonce_used"' > /dev/null ||
        fail "the nonce was good twice at $url"
}
