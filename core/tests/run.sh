#!/usr/bin/env bash
# Build the core's tests for every instruction level under the sanitizers, and run those that this processor can.
#
#     core/tests/run.sh [--short] [--seconds N]
#
#     --short      one build for memory and undefined behaviour, one for races, and a part of the fixed cases: two minutes
#     --seconds N  how long the random part of each build runs; default 5
#
# One line per build; what failed follows its line. The exit status is not zero if any build or run failed.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=5
short=no
while [ $# -gt 0 ]; do
    case "$1" in
        --seconds)
            [ $# -ge 2 ] || { echo "--seconds needs a number" >&2; exit 2; }
            seconds=$2
            shift 2
            ;;
        --short)
            short=yes
            shift
            ;;
        *)
            echo "usage: $0 [--short] [--seconds N]" >&2
            exit 2
            ;;
    esac
done
case "$seconds" in
    '' | . | *[!0-9.]* | *.*.*) echo "--seconds takes a number, not '$seconds'" >&2; exit 2 ;;
esac

compiler=${CXX:-g++}
# The tests, and what the core compiles by itself; the bindings need Python.
sources=("$here/test_core.cpp")
for file in "$here"/../*/*.cpp; do
    case "$file" in */bindings/* | */tests/*) ;; *) sources+=("$file") ;; esac
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# LIMBIK_CALLS, lines without variables and checks by calls: else a build takes ten minutes.
flags=(-std=gnu++20 -O1 -g1 -DLIMBIK_CALLS -ffp-contract=off -fno-math-errno -fno-trapping-math -Wall -Wextra -Werror -pthread)
memory=(-fsanitize=address,undefined -fno-sanitize-recover=all)
if "$compiler" --version 2>/dev/null | grep -qi clang; then
    memory+=(-mllvm -asan-instrumentation-with-call-threshold=0)
else
    memory+=(--param asan-instrumentation-with-call-threshold=0)
fi
races=(-fsanitize=thread)

# has flag...: true where the processor has every one of these.
has() {
    local have flag
    have=" $(grep -m1 '^flags' /proc/cpuinfo 2>/dev/null | cut -d: -f2) "
    for flag in "$@"; do
        case "$have" in *" $flag "*) ;; *) return 1 ;; esac
    done
}

# build name flags...: in the background, so that two compilers share the time. Its status goes to a file.
build() {
    local name=$1
    shift
    (
        begin=$(date +%s)
        "$compiler" "${flags[@]}" "$@" -o "$folder/$name" "${sources[@]}" >"$folder/$name.build" 2>&1
        echo $? >"$folder/$name.status"
        echo $(($(date +%s) - begin)) >"$folder/$name.seconds"
    ) &
}

# The thread sanitizer of older compilers cannot live with many bits of address randomisation.
run_steady() {
    if command -v setarch >/dev/null && setarch "$(uname -m)" -R true 2>/dev/null; then
        setarch "$(uname -m)" -R "$@"
    else
        "$@"
    fi
}

# report name can_run arguments...: run what was built, print its line.
report() {
    local name=$1 can_run=$2 begin status
    shift 2
    if [ "$(cat "$folder/$name.status")" != 0 ]; then
        printf '%-14s FAILED to build\n' "$name"
        head -n 60 "$folder/$name.build"
        failed=1
        return
    fi
    local built="built in $(cat "$folder/$name.seconds") s"
    if [ "$can_run" != yes ]; then
        printf '%-14s %s; not run: this processor lacks the level\n' "$name" "$built"
        return
    fi
    begin=$(date +%s)
    local start=()
    case "$name" in threads*) start=(run_steady) ;; esac
    ${start[@]+"${start[@]}"} "$folder/$name" --seconds "$seconds" "$@" >"$folder/$name.out" 2>&1
    status=$?
    if [ "$status" = 0 ]; then
        printf '%-14s ok; %s, ran %s s: %s\n' "$name" "$built" "$(($(date +%s) - begin))" \
            "$(tail -n 1 "$folder/$name.out")"
    else
        printf '%-14s FAILED with status %s; %s\n' "$name" "$status" "$built"
        head -n 100 "$folder/$name.out"
        failed=1
    fi
}

export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_init_order=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}

if [ $short = yes ]; then
    build memory "${memory[@]}" -DLIMBIK_WIDTH=2
    build threads "${races[@]}" -DLIMBIK_WIDTH=2
    wait
    report memory yes --part short
    report threads yes --part threads
    exit $failed
fi

case "$(uname -m)" in
    x86_64 | amd64)
        v2=no v3=no v4=no
        has ssse3 sse4_1 sse4_2 popcnt cx16 && v2=yes
        [ $v2 = yes ] && has avx avx2 bmi1 bmi2 f16c fma movbe && v3=yes
        [ $v3 = yes ] && has avx512f avx512bw avx512cd avx512dq avx512vl && v4=yes
        build v2 "${memory[@]}" -march=x86-64-v2 -DLIMBIK_WIDTH=2
        build v3 "${memory[@]}" -march=x86-64-v3 -DLIMBIK_WIDTH=4
        wait
        build v4 "${memory[@]}" -march=x86-64-v4 -mprefer-vector-width=512 -DLIMBIK_WIDTH=8
        build plain "${memory[@]}" -DLIMBIK_PLAIN_LANES -DLIMBIK_WIDTH=4
        wait
        # Races do not depend on the level, so the lowest will do.
        build threads "${races[@]}" -march=x86-64-v2 -DLIMBIK_WIDTH=2
        wait
        report v2 $v2
        report v3 $v3
        report v4 $v4
        report plain yes
        report threads $v2 --part threads
        ;;
    *)
        build base "${memory[@]}" -DLIMBIK_WIDTH=2
        wait
        report base yes
        ;;
esac
exit $failed
