#!/bin/sh
# Runs one reader under libFuzzer with the address sanitizer: run.sh TARGET EXECUTIONS
# TARGET is base64url, json, keyset or token. Exits with an error on a finding, whose input is kept in .build-fuzz/findings.
# FUZZ_SECONDS bounds the time too; fewer executions are then an error unless FUZZ_SHORT=allowed.
set -eu

usage() { echo "usage: $0 base64url|json|keyset|token EXECUTIONS" >&2; exit 2; }
[ $# -eq 2 ] || usage
target=$1
executions=$2
case $executions in '' | *[!0-9]*) usage ;; esac

cd "$(dirname "$0")/../.."
build=.build-fuzz
corpus=$build/corpus/$target
mkdir -p "$corpus" "$build/findings"
dictionary=$build/$target.dict

# A seed from the arguments of printf; $count numbers them.
count=0
seed() { count=$((count + 1)); printf "$@" >"$corpus/seed-$count"; }

# An Ed25519, a P-256 and a 2048-bit RSA public key, made for this file and nothing else.
okp='"kty":"OKP","crv":"Ed25519","x":"z3tfa196yMnqBNEUmX7ncUansn87brwR2E7z_Zd5-yI"'
ec='"kty":"EC","crv":"P-256","x":"H8UbneOM-BJ6r2v1QgU5dj9-2DDS1h2XY9iBaJbdQyo","y":"lTuwwnwwGpXmoHNUG3pdV7bFZfMC-WnR9V63xN9156s"'
rsa='"kty":"RSA","e":"AQAB","n":"sV0Nggg3vCdSExdxdFkjhQTHyK9ao2T8fGZLZ3wqeV0Tzcei1x-3tI_nM05JxQ75-BDSOaDco5lBdhn8HKAJGsGDoxpYRs5EucEWF6yByTpYUFOt7bW3xOAqDPbPSCLKdNYMtbCDbDfoOKcDPu6sy2Jh_-7_RwHjz2p-k021Hv67pdjsZoQVfqLJnBkDF_ShbOnGXR92ukwqyIcaT9wuBIGIN_GgPB3PZcwsWwsmIaXfGTQCo1-enEFpaODR46IknsC_-xWG5dfnegNhC0GkFe5PttSMHff9bdHsNl_7G3z1OI4sfpfU1hpDgtkBK87DfrCPzcPJhqRiB4NHg1DCyw"'

limit=512
case $target in
base64url)
    limit=96
    for text in '' AA AAA AAAA QUJD-_-_ A QQ== 'QUJD+/==' QUJDRA QUJDREU abcdefghijklmnopqrstuvwxyz0123456789; do
        seed %s "$text"
    done
    printf '"%s"\n' - _ + / = >"$dictionary"
    ;;
json)
    seed %s '{"alg":"RS256","kid":"a","typ":"JWT"}'
    seed %s '[1,-0,1.5e3,1E-2,0.001e3,9223372036854775807,true,false,null,"",{}]'
    seed %s '{"a":{"b":[{"c":[[["\u0061\uD834\uDD1E\n\"\\\/\b\f\r\t"]]]}]},"\u0062":[]}'
    seed '{"\\u00e9":"\303\251","e":"\342\202\254\360\235\204\236","":" "}'
    seed %s '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":0,"k":1,"l":2,"m":3,"n":4,"o":5,"p":6,"q":7}'
    seed %s '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]'
    printf '"%s"\n' true false null '\\u' '\\uD800' '\\uDC00' '\"' '\":' 1e9 '\xEF\xBB\xBF' '\xE2\x80\xA8' >"$dictionary"
    ;;
keyset)
    limit=1024
    seed %s "{\"keys\":[{$okp},{$ec,\"kid\":\"a\"},{$okp,\"d\":\"AA\"},1]}"
    seed %s "{\"keys\":[{$rsa,\"alg\":\"RS256\",\"use\":\"sig\",\"kid\":\"b\",\"issuer\":\"i\"}]}"
    seed %s "{\"keys\":[{$ec,\"key_ops\":[\"verify\"],\"alg\":\"ES256\"},{\"kty\":\"oct\",\"k\":\"AA\"}]}"
    seed %s '{"keys":[]}'
    printf '"%s"\n' '\"keys\":' '\"kty\":' '\"RSA\"' '\"EC\"' '\"OKP\"' '\"crv\":' '\"P-384\"' '\"P-521\"' \
        '\"use\":' '\"sig\"' '\"alg\":' '\"key_ops\":' '\"verify\"' '\"kid\":' '\"AQAB\"' >"$dictionary"
    ;;
token)
    times='"exp":1500,"iat":999'
    apple='"iss":"https://appleid.apple.com","aud":"web","sub":"s"'
    events='"events":"{\"type\":\"consent-revoked\",\"sub\":\"s\",\"event_time\":1}"'
    # The first byte says what is made of the rest: see TokenTarget.swift.
    seed '0%s\n%s' '{"alg":"EdDSA","kid":"a"}' "{\"iss\":\"https://i\",\"aud\":\"web\",\"sub\":\"s\",\"nonce\":\"n\",$times}"
    seed '8%s\n%s' '{"alg":"EdDSA"}' "{\"iss\":\"https://i\",\"aud\":[\"web\",\"app\"],\"azp\":\"web\",\"sub\":\"s\",\"nonce\":\"n\",$times}"
    seed '4%s\n%s' '{"alg":"EdDSA","typ":"JWT"}' "{\"iss\":\"https://i\",\"aud\":\"web\",\"sub\":\"s\",\"c_hash\":\"a\",$times}"
    seed '1%s\n%s' '{"alg":"RS256","kid":"a"}' "{$apple,$times,\"nonce\":\"n\",\"email\":\"a@b\",\"email_verified\":\"true\"}"
    seed 'q%s\n%s' '{"alg":"RS256","kid":"a"}' "{$apple,$times,$events}"
    seed 'y%s\n%s' '{"alg":"RS256","kid":"a"}' "{$apple,$times,$events}"
    seed '5%s\n%s' '{"alg":"RS256","kid":"a","crit":["b64"]}' "{$apple,$times,\"nbf\":1,\"auth_time\":1,\"real_user_status\":2}"
    seed '9%s\n%s' '{"alg":"RS256","kid":"a"}' "{$apple,$times,\"nbf\":1,\"auth_time\":1,\"real_user_status\":2}"
    seed %s 2eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.e30.AAAA
    seed %s 2eyJhbGciOiJub25lIn0.e30.
    printf '"%s"\n' '\"alg\":' '\"kid\":' '\"crit\":' '\"aud\":' '\"iss\":' '\"exp\":' '\"nonce\":' '\"azp\":' \
        '\"nonce_supported\":' '\"events\":' '\"at_hash\":' '\"tid\":' '\"email_verified\":' 1e3 '.' >"$dictionary"
    ;;
*) usage ;;
esac

# One -sanitize flag: given twice, the coverage instrumentation is lost. lld, since gold drops libFuzzer's sections.
POSTERN_FUZZ=1 swift build -c release --scratch-path "$build" --product PosternFuzz \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld

# Without SWIFT_BACKTRACE a finding hangs. A time-out of 10 s makes quadratic work a finding.
log=$build/$target.log
echo "fuzz $target: $executions executions"
status=0
POSTERN_FUZZ_TARGET=$target SWIFT_BACKTRACE=enable=no "$build/release/PosternFuzz" \
    -runs="$executions" -max_total_time="${FUZZ_SECONDS:-0}" -max_len=$limit -timeout=10 -rss_limit_mb=2048 \
    -dict="$dictionary" -artifact_prefix="$build/findings/$target-" -print_final_stats=1 -verbosity=1 \
    "$corpus" >"$log" 2>&1 || status=$?

done=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
if [ "$status" -ne 0 ]; then
    tail -n 40 "$log"
    echo "fuzz $target: FAILED after ${done:-?} executions; the input is in $build/findings"
    exit 1
fi
echo "fuzz $target: ${done:-0} executions, no finding"
[ "${done:-0}" -ge "$executions" ] || [ "${FUZZ_SHORT:-}" = allowed ] || { echo "fuzz $target: cut short"; exit 1; }
