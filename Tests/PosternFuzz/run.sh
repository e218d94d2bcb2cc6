#!/bin/bash
# run.sh TARGET EXECUTIONS: builds the fuzzer and runs one target (jws, token, json, settings, base64url, keyset or http) that
# often.
# Exits with 1 when something was found; the input then lies in .build-fuzz/findings/TARGET.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${1:?usage: run.sh TARGET EXECUTIONS}
executions=${2:?usage: run.sh TARGET EXECUTIONS}
scratch=.build-fuzz
corpus=$scratch/corpus/$target
findings=$scratch/findings/$target

# The greatest length of an input, which keeps executions quick.
case $target in
    base64url) longest=256 ;;
    json | settings) longest=1024 ;;
    jws | token) longest=2048 ;;
    keyset) longest=1024 ;;
    http) longest=1024 ;;
    *) echo "run.sh: no target \"$target\": jws, token, json, settings, base64url, keyset or http" >&2; exit 64 ;;
esac

export POSTERN_FUZZ=1
build=(swift build -c release --scratch-path "$scratch" --product PosternFuzz
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld)
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/PosternFuzz
mkdir -p "$corpus" "$findings"

number=0
# seed TEXT: one input to start from, byte for byte.
seed() {
    number=$((number + 1))
    printf '%s' "$1" > "$corpus/seed-$number"
}

base64url_seeds() {
    for text in '' AA AAA AAAA _-_- Zm9vYmFy Zm9vYmE Zm9vYg Zm9vYg== Zm9vYh 'Zm9v YmFy' +/+/; do seed "$text"; done
}

json_seeds() {
    seed '{}'
    seed '[]'
    seed ' [ true , false , null ] '
    seed '{"a":1,"b":[2,{"c":"d"}],"e":{"f":{}}}'
    seed '[0,-0,1.5,-1.5,1e3,1E+2,1000.0,1e-3,9223372036854775807,-9223372036854775808,9223372036854775808,1e309]'
    seed '"\"\\\/\b\f\n\r\t\u0041\ud83d\ude00é€😀"'
    seed '{"a":1,"\u0061":2}'
    seed '{"a":0,"b":0,"c":0,"d":0,"e":0,"f":0,"g":0,"h":0,"i":0,"j":0,"k":0,"l":0,"m":0,"n":0,"o":0,"p":0,"q":0,"r":0}'
    seed '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]'
    seed '[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]'
}

settings_seeds() {
    local line=$'\n'
    json_seeds
    seed "// one$line{\"a\": [1, 2,], // two$line \"b\": {\"c\": \"//,]\",},$line}// three"
    seed '["\\",]'
    seed '["\"",]'
    seed '[[1,],[{},],]'
    seed '[,]'
    seed '{"a":,}'
    seed "[1,// ]$line]"
    seed $'// \xff\n{}'
}

keyset_seeds() {
    local p256 p384 p521 ed25519 rsa
    p256='{"kty":"EC","crv":"P-256","x":"hbAd0jpdw50zSl6Xk-eYKtejREPr4qQpYJCjGPaGcL0","y":"v-BryaGc7uSQFFT1_rEurd4TZBuL8LUZPJBFg8QQGu0"'
    p384='{"kty":"EC","crv":"P-384","x":"E2ShvZZHxH5lCTUyIxevKiCLBRo-LBo1ET5Kaf0J71ijhn_Vh8AOAdJf7NZ0iQQ4","y":"5zQh0bIOB-6FAIFcLPUMsVPJCAMNnAAm2f8YhylFx8nPhRnXZ94-oSOctwT_pAiz"'
    p521='{"kty":"EC","crv":"P-521","x":"AXJbAFxeyCHaWv88LTfAnN9NcAw_4ZIlDFaM5X-sstvx1M0y88r5YnZCkm6McJapiUhAvpUJzvF65YyXDnJ48-qb","y":"AKqZatrrUWvaCHNd3F2QoiV1k583ZgDbuzQQcjNI5bZRCI0sIE5M3tIFdbC0RcvPojulJWH_4w_7ddSN-8hHt-ti"'
    ed25519='{"kty":"OKP","crv":"Ed25519","x":"P0tNJN1mMkheVWi81oiqHqq8ZDIWrWkI3PN_pt5TINg"'
    # The key of TestVectors/example; checking its modulus takes the longest.
    rsa='{"kty":"RSA","e":"AQAB","n":"'$(sed -n 's/^ *"n": "\(.*\)",$/\1/p' TestVectors/example/apple-keys.jwks | head -n 1)'"'
    seed '{"keys":[]}'
    seed '{"keys":[1,{}]}'
    seed '{"keys":[{"kty":"oct","k":"AAAA"},{"kty":"RSA","n":"AQAB","e":"AQAB"}]}'
    for key in "$p256" "$p384" "$p521" "$ed25519" "$rsa"; do seed "{\"keys\":[$key}]}"; done
    seed "{\"keys\":[$ed25519,\"use\":\"sig\",\"alg\":\"EdDSA\",\"kid\":\"a\"}]}"
    seed "{\"keys\":[$p256,\"use\":\"sig\",\"key_ops\":[\"verify\"],\"alg\":\"ES256\",\"kid\":\"b\"}]}"
    seed "{\"keys\":[$rsa,\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"c\",\"issuer\":\"https://issuer.example\"}]}"
    seed "{\"keys\":[$ed25519},$ed25519},$ed25519,\"d\":\"AAAA\"}]}"
}

# Tokens as they arrive: the readers and all checks up to the signature.
jws_seeds() {
    seed "$(cat TestVectors/example/apple.token)"
    seed "eyJhbGciOiJFZERTQSIsImtpZCI6ImsifQ.e30."
    seed "eyJhbGciOiJSUzI1NiIsImtpZCI6InBONHZSdDJMYzgifQ.eyJpc3MiOiJhY2NvdW50cy5nb29nbGUuY29tIn0.AAAA"
    seed "eyJhbGciOiJub25lIn0.."
    seed "..."
}

token_seeds() {
    local times='"exp":1780086381,"iat":1779999981' who='"sub":"001234.0123456789abcdef.0915"'
    local hash='"nonce":"460f855e8f8a3c8711aeb7442724d55732c31f12cda5e64f4ca1bdd69e895a38"'
    local header='{"alg":"RS256","kid":"pN4vRt2Lc8"}' raw='raw nonce of the request' line=$'\n'
    local hashes='"c_hash":"tl6nvuWJTxOqvhdJRqhFgY3pNboZRCBtpWThmv4nI8s",'
    hashes+='"at_hash":"kyd4-h3ZoV2sH212kLKbcOnCBajStKQ38Ae_bfT-PFI"'
    local issued=AQAAAAAAAAAAahindwkJCQkJCQkJCQkJCQkJCQkozdMXmILxZt0j2teVn48evk9WKyWe4id09YQ00ezYcw
    local app='"aud":"com.example.app"' apple='"iss":"https://appleid.apple.com"'
    local tenant=0e4bd2b5-2f0a-4c4b-8a5e-3d7a0a1c9d10
    # 0: as it arrives. 1: signed by the fuzzer. 2 to 6: Google, Microsoft, Facebook, Firebase, Apple. 7: a notification.
    seed "0$(cat TestVectors/example/apple.token)"
    seed "0eyJhbGciOiJFZERTQSIsImtpZCI6ImsifQ.e30."
    local signed="1{\"alg\":\"EdDSA\",\"kid\":\"k\"}$line{\"iss\":\"https://issuer.example\","
    seed "$signed$app,$times,$who,$hash}$line$raw"
    seed "$signed\"aud\":[\"plain\"],$times,$who,\"nonce\":\"n\"}${line}n"
    seed "$signed\"aud\":[\"unchecked\",\"unchecked\"],\"azp\":\"plain\",$times,$who}"
    seed "$signed$app,$times,$who,$hash,$hashes}$line$raw${line}code${line}access"
    seed "$signed$app}$line$issued"
    seed "2$header$line{\"iss\":\"accounts.google.com\",\"azp\":\"presenter\",$app,$times,$who,$hash}$line$raw"
    seed "3$header$line{\"iss\":\"https://login.microsoftonline.com/$tenant/v2.0\",\"tid\":\"$tenant\",$app,$times,$who,$hash}$line$raw"
    seed "4$header$line{\"iss\":\"https://www.facebook.com\",$app,$times,$who,$hash,\"email\":\"a@b.example\"}$line$raw"
    seed "5$header$line{\"iss\":\"https://securetoken.google.com/com.example.app\",$app,$times,\"auth_time\":1779999981,$who}"
    seed "6$header$line{$apple,$app,$times,$who,$hash,\"email_verified\":\"true\",\"real_user_status\":2,\"nbf\":1e9}$line$raw"
    seed "6$header$line{$apple,\"aud\":\"plain\",$times,$who,\"nonce_supported\":false}${line}n"
    seed "7$header$line{$apple,$app,$times,\"jti\":\"a\",\"events\":{\"type\":\"consent-revoked\",\"sub\":\"s\",\"event_time\":1779999981000}}"
    seed "7$header$line{$apple,$app,$times,\"events\":\"{\\\"type\\\":\\\"email-disabled\\\",\\\"sub\\\":\\\"s\\\",\\\"email\\\":\\\"a\\\"}\"}"
}

# The first byte chooses limits and pieces; the rest is what a connection sends.
http_seeds() {
    local end=$'\r\n'
    local post="POST /p?q HTTP/1.1${end}Host: a$end" get="GET / HTTP/1.1${end}Host: [::1]:80$end"
    for choice in a B; do
        seed "$choice$get$end$get$end"
        seed "$choice$end${get}Connection: keep-alive, close$end$end"
        seed "$choice${post}Content-Length: 5$end${end}hello$get$end"
        seed "$choice${post}Expect: 100-continue${end}Content-Length: 5$end${end}hello"
        seed "$choice${post}Transfer-Encoding: chunked$end${end}5;a=b${end}hello${end}0${end}X: y$end$end$get$end"
        seed "$choice${post}Content-Length: 5${end}Transfer-Encoding: chunked$end${end}0$end$end"
        seed "${choice}POST /p HTTP/1.0${end}Content-Length: 1$end${end}h"
        seed "${choice}GET http://a/b HTTP/1.1${end}Host: a$end$end"
        seed "${choice}OPTIONS * HTTP/1.1${end}Host: a$end$end"
        seed "${choice}HEAD /x HTTP/1.1${end}Host: a${end}X : y$end z$end$end"
    done
}

"${target}_seeds"

# Words that changing single bytes would hardly make.
dictionary=$scratch/$target.dict
words=('\\"' '\\u00' '\\ud83d\\ude00' null true false 1e3 -0 9223372036854775808 1780000091 '{' '}' '[' ']' ',' ':')
case $target in
    base64url) words=(-_ '==' +/) ;;
    settings) words+=('//' '\\x0a' ',]' ',}' '//\\x0a' '\\xff' '\\xc3\\xa9' '\\\\') ;;
    jws) words=(. .. e30 eyJ AA hbGciOi) ;;
    token) words+=(alg kid typ cty enc crit b64 zip RS256 ES256 EdDSA none JWT iss sub aud exp iat nbf auth_time nonce azp
        at_hash c_hash tid events type nonce_supported email email_verified is_private_email real_user_status transfer_sub
        com.example.app plain unchecked presenter account-delete secevent+jwt .) ;;
    http) words=('\\x0d\\x0a' '\\x0d\\x0a\\x0d\\x0a' '\\x0a' '\\x0d' '\\x00' '\\x0d\\x0a ' 'Content-Length: ' 'Transfer-Encoding: ' chunked gzip
        'Host: a' 'Connection: close' 'Expect: 100-continue' HTTP/1.1 HTTP/1.0 HTTP/2.0 GET HEAD POST OPTIONS CONNECT 'http://a/'
        '*' '?' '#' ';' ',' 0 00 5 7fffffffffffffff 9223372036854775807 18446744073709551616 -1 +1) ;;
    keyset) words+=(keys kty RSA EC OKP oct crv P-256 P-384 P-521 Ed25519 use sig enc key_ops verify sign alg RS256 PS512 ES256
        ES384 ES512 EdDSA kid issuer n e x y d p q k AQAB AQAC) ;;
esac
printf '"%s"\n' "${words[@]}" > "$dictionary"

# Without SWIFT_BACKTRACE the runtime waits for a debugger's answer after a trap.
export SWIFT_BACKTRACE=enable=no
log=$scratch/$target.log
status=0
"$program" "$target" -runs="$executions" -max_len="$longest" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
    -dict="$dictionary" -artifact_prefix="$findings/" "$corpus" > "$log" 2>&1 || status=$?
done=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
if [ "$status" != 0 ]; then
    tail -n 60 "$log" >&2
    echo "fuzz $target: a finding after ${done:-?} executions, see $findings and $log" >&2
    exit 1
fi
echo "fuzz $target: ${done:-?} executions, nothing found ($(sed -n 's/^stat::average_exec_per_sec: *//p' "$log") per second)"
