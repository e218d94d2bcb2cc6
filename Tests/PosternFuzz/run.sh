#!/bin/bash
# run.sh TARGET EXECUTIONS: builds the fuzzer and runs one target (token, json, base64url or keyset) that often.
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
    json) longest=1024 ;;
    token) longest=2048 ;;
    keyset) longest=1024 ;;
    *) echo "run.sh: no target \"$target\": token, json, base64url or keyset" >&2; exit 64 ;;
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

if [ "$target" = base64url ]; then
    for text in '' AA AAA AAAA _-_- Zm9vYmFy Zm9vYmE Zm9vYg Zm9vYg== Zm9vYh 'Zm9v YmFy' +/+/; do seed "$text"; done
fi

# Without SWIFT_BACKTRACE the runtime waits for a debugger's answer after a trap.
export SWIFT_BACKTRACE=enable=no
log=$scratch/$target.log
status=0
"$program" "$target" -runs="$executions" -max_len="$longest" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
    -artifact_prefix="$findings/" "$corpus" > "$log" 2>&1 || status=$?
done=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
if [ "$status" != 0 ]; then
    tail -n 60 "$log" >&2
    echo "fuzz $target: a finding after ${done:-?} executions, see $findings and $log" >&2
    exit 1
fi
echo "fuzz $target: ${done:-?} executions, nothing found ($(sed -n 's/^stat::average_exec_per_sec: *//p' "$log") per second)"
