#!/usr/bin/env bash
# Build the core's tests for several instruction levels, sanitizers or compilers, and run those that this processor supports.
#
#     core/tests/run.sh [--short | --portable] [--seconds N]
#
#     (neither)    every level under the address and undefined-behaviour sanitizers, lanes as plain arrays, and the
#                  thread sanitizer
#     --short      one build with each set of sanitizers, and only a part of the fixed cases
#     --portable   without sanitizers: clang++ at every level, and aarch64 in an emulator
#     --seconds N  how long random seeds are tried in each build, all folders together; default 5
#
# Builds go to build/tests of the checkout, or to $LIMBIK_BUILDS. Prints one line per build; a failure's output follows its
# line. The exit status is not zero if any build or run failed.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
builds=${LIMBIK_BUILDS:-$here/../../build/tests}
seconds=5
what=all
while [ $# -gt 0 ]; do
    case "$1" in
        --seconds)
            [ $# -ge 2 ] || { echo "--seconds needs a number" >&2; exit 2; }
            seconds=$2
            shift
            ;;
        --short) what=short ;;
        --portable) what=portable ;;
        *) echo "usage: $0 [--short | --portable] [--seconds N]" >&2; exit 2 ;;
    esac
    shift
done
case "$seconds" in
    '' | . | *[!0-9.]* | *.*.*) echo "--seconds takes a number, not '$seconds'" >&2; exit 2 ;;
esac

cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
generator=$(command -v ninja >/dev/null && echo Ninja || echo "Unix Makefiles")
folders=$(find "$here" -mindepth 2 -name '*.cpp' -not -path '*/support/*' -printf '%h\n' | sort -u | wc -l)
export LIMBIK_TEST_SECONDS
failed=0

# has flag...: true where the processor has every one of these.
has() {
    local have flag
    have=" $(grep -m1 '^flags' /proc/cpuinfo 2>/dev/null | cut -d: -f2) "
    for flag in "$@"; do
        case "$have" in *" $flag "*) ;; *) return 1 ;; esac
    done
}
# runs level: true where the processor has the level.
runs() {
    case "$1" in
        v2) has ssse3 sse4_1 sse4_2 popcnt cx16 ;;
        v3) runs v2 && has avx avx2 bmi1 bmi2 f16c fma movbe ;;
        v4) runs v3 && has avx512f avx512bw avx512cd avx512dq avx512vl ;;
    esac
}
divided() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'; }

# tests name share option...: configure, build and run; one line. A level that the processor lacks is only built.
tests() {
    local name=$1 share=$2 begin built status count
    shift 2
    local out=$builds/$name log=$builds/$name.log
    mkdir -p "$out"
    begin=$(date +%s)
    if ! cmake -G "$generator" -S "$here" -B "$out" -DLIMBIK_TOGETHER=ON "$@" >"$log" 2>&1 ||
        ! cmake --build "$out" --parallel "$cores" >>"$log" 2>&1; then
        printf '%-14s FAILED to build\n' "$name"
        grep -E -A 12 'error|CMake Error' "$log" | head -n 60
        failed=1
        return
    fi
    built="built in $(($(date +%s) - begin)) s"
    case "$name" in
        *v2 | *v3 | *v4)
            runs "v${name##*v}" || {
                printf '%-14s %s; not run: this processor lacks the level\n' "$name" "$built"
                return
            }
            ;;
    esac
    begin=$(date +%s)
    LIMBIK_TEST_SECONDS=$(divided "$seconds" "$folders") LIMBIK_TEST_SHARE=$share \
        ctest --test-dir "$out" --parallel "$cores" --verbose >"$log" 2>&1
    status=$?
    if [ "$status" = 0 ]; then
        count=$(grep -oE '[0-9]+ checks,' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
        printf '%-14s ok; %s, ran %s s: %s checks\n' "$name" "$built" "$(($(date +%s) - begin))" "$count"
    else
        printf '%-14s FAILED; %s\n' "$name" "$built"
        grep -vE ': (=====+|\[doctest\])|^$' "$log" | head -n 100
        failed=1
    fi
}

# The thread sanitizer of older compilers fails with many bits of address randomisation.
steady=
if command -v setarch >/dev/null && setarch "$(uname -m)" -R true 2>/dev/null; then
    steady="setarch;$(uname -m);-R"
fi
memory=-DLIMBIK_SANITIZER=memory
races=(-DLIMBIK_SANITIZER=threads "-DLIMBIK_FOLDERS=base;kinematics;muscle" "-DLIMBIK_LAUNCHER=$steady")
x86=no
case "$(uname -m)" in x86_64 | amd64) x86=yes ;; esac

case $what in
    short)
        tests memory 0.05 $memory
        tests threads 1 "${races[@]}"
        ;;
    all)
        if [ $x86 = yes ]; then
            for level in v2 v3 v4; do tests $level 1 $memory -DLIMBIK_LEVEL=$level; done
        else
            tests base 1 $memory
        fi
        tests plain 1 $memory -DLIMBIK_PLAIN_LANES=ON -DLIMBIK_LANES=4
        tests threads 1 "${races[@]}"
        ;;
    portable)
        if command -v clang++ >/dev/null; then
            if [ $x86 = yes ]; then
                for level in v2 v3 v4; do
                    tests clang-$level 0.3 -DCMAKE_CXX_COMPILER=clang++ -DLIMBIK_LEVEL=$level
                done
            else
                tests clang 0.3 -DCMAKE_CXX_COMPILER=clang++
            fi
        else
            echo "clang++ is missing: nothing was built with it"
        fi
        if command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null; then
            tests aarch64 0.02 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
                -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ "-DLIMBIK_LAUNCHER=qemu-aarch64;-L;/usr/aarch64-linux-gnu"
        else
            echo "aarch64-linux-gnu-g++ or qemu-aarch64 is missing: nothing was built for aarch64"
        fi
        ;;
esac
exit $failed
