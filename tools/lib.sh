# Shared by the scripts in tools/: steps with times, log files, one lock, configuring and building. Source it.
# Everything here speaks on stderr; stdout belongs to the program that is run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$root/build
logs=$build/logs
step_prefix=${TACTUS_STEP_PREFIX-} # what is put before a step, e.g. "[2/4] "
step_lazy=${TACTUS_STEP_LAZY-}     # not empty: show a step only once it really does something
ticker=""

say() { printf '%s\n' "$*" >&2; }

# die "what is wrong" ["what to do" ...]
die() {
    say "error: $1"
    shift
    for line in "$@"; do say "  $line"; done
    exit 1
}

seconds_since() { # seconds, with tenths below ten
    if [[ -n ${EPOCHREALTIME-} ]]; then
        local tenths=$(((${EPOCHREALTIME//[.,]/} - $1) / 100000))
        if ((tenths < 100)); then
            printf '%d.%d s' $((tenths / 10)) $((tenths % 10))
        else
            printf '%d s' $((tenths / 10))
        fi
    else
        printf '%d s' $((SECONDS - $1))
    fi
}
now() { if [[ -n ${EPOCHREALTIME-} ]]; then printf '%s' "${EPOCHREALTIME//[.,]/}"; else printf '%s' "$SECONDS"; fi; }

stop_ticker() {
    [[ -n $ticker ]] || return 0
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    ticker=""
}

# Did this build log do more than look around?
log_shows_work() { grep -qE '^\[[0-9]+/[0-9]+\] (Building|Linking|Embedding|Re-running|Creating|Generating)' "$1"; }

# Follows a log while a step runs: on a terminal in one line, otherwise a line after 2 seconds and then every 20.
follow() { # title log start
    local last shown="" width began=$SECONDS
    while sleep 0.3; do
        if [[ -n $step_lazy ]] && ! log_shows_work "$2"; then continue; fi
        if [[ -t 2 ]]; then
            last=$(tail -n 1 "$2" 2>/dev/null | tr -d '\r' | tr '\t' ' ')
            width=$(($(tput cols 2>/dev/null || echo 80) - 1))
            last="$step_prefix${1% …} … $(seconds_since "$3")  $last"
            printf '\r\033[K%s' "${last:0:width}" >&2
        elif [[ -z $shown ]]; then
            ((SECONDS - began >= 2)) || continue
            shown=$SECONDS
            say "$step_prefix${1% …} …"
        elif ((SECONDS - shown >= 20)); then
            shown=$SECONDS
            say "      $(seconds_since "$3"): $(tail -n 1 "$2" | cut -c 1-100)"
        fi
    done
}

# step "title" "log name" command...   runs the command with its output in a log; says how long it took, or what failed
step() {
    local title=$1 log=$logs/$2.log start status=0
    shift 2
    mkdir -p "$logs"
    : >"$log"
    start=$(now)
    follow "$title" "$log" "$start" 9>&- &
    ticker=$!
    ("$@") >>"$log" 2>&1 </dev/null || status=$?
    stop_ticker
    [[ ! -t 2 ]] || printf '\r\033[K' >&2
    if ((status != 0)); then
        say "$step_prefix$title: failed after $(seconds_since "$start")"
        explain_log "$log"
        say "  everything it said: $log"
        return "$status"
    fi
    if [[ -z $step_lazy ]] || log_shows_work "$log"; then
        say "$step_prefix$title: $(seconds_since "$start")"
    fi
}

# The part of a log that tells what went wrong: from the first error on, else its end
explain_log() {
    local first
    first=$(grep -nE '^FAILED:|^CMake Error|(^|[^a-zA-Z-])error:|^E: ' "$1" | head -n 1 | cut -d: -f 1 || true)
    if [[ -n $first ]]; then tail -n "+$first" "$1" | head -n 40; else tail -n 25 "$1"; fi | sed 's/^/  | /' >&2
}

# One at a time in this checkout; a second one waits. Released by unlock, and when the script ends.
lock() {
    mkdir -p "$build" 2>/dev/null || true
    [[ -w $build ]] || die "the folder $build cannot be written" \
        "Give it to yourself: sudo chown -R \"\$USER\" '$build'"
    [[ -z ${TACTUS_LOCKED-} ]] || return 0
    command -v flock >/dev/null || return 0
    exec 9>"$build/.lock"
    if ! flock -n 9; then
        say "waiting for another run of tools/ in this checkout …"
        flock 9
    fi
    export TACTUS_LOCKED=1
}
unlock() {
    if [[ -z ${TACTUS_LOCKED-} ]]; then return 0; fi
    unset TACTUS_LOCKED
    flock -u 9
    exec 9>&-
}

set_up() { TACTUS_STEP_PREFIX=$step_prefix TACTUS_STEP_LAZY=$step_lazy "$root/tools/setup" "$@"; }

# Configures a preset unless it is: again after the presets, the machine's packages or the folder's place have changed.
configure() { # preset
    local stamp=$build/$1/.configured cache=$build/$1/CMakeCache.txt key
    # Either of the last two may be missing, as without demos.
    key="$root $( (cat "$root/CMakePresets.json" "$build/prefix/.setup-base" "$build/prefix/.raylib" 2>/dev/null || true) | cksum)"
    if [[ -f $build/$1/build.ninja && "$(cat "$stamp" 2>/dev/null)" == "$key" ]]; then
        [[ -n $step_lazy ]] || say "${step_prefix}Configure $1: nothing to do"
        return 0
    fi
    if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        rm -rf "${build:?}/$1" # made for another place
    fi
    step_lazy="" step "Configure $1" "configure-$1" cmake -S "$root" --preset "$1" || return
    grep -hE '^-- (Entities|sundials|Install|Demos)' "$logs/configure-$1.log" | sed 's/^-- /      /' >&2 || true
    printf '%s\n' "$key" >"$stamp"
}

build_target() { # preset target
    step "Build $1" "build-$1" cmake --build "$build/$1" --target "$2"
}

known_presets() {
    sed -n '/"configurePresets"/,/"buildPresets"/s/^ *"name": "\(.*\)",$/\1/p' "$root/CMakePresets.json" | grep -vx base
}

# Makes sure that the command line program is there and current; its path is in $program.
# shellcheck disable=SC2034
program=$build/release/tactus
build_program() {
    configure release
    if ! grep -q '^build tactus_cli:' "$build/release/build.ninja"; then
        die "this checkout has no command line program" "Its sources, tools/cli/*.cpp, are missing."
    fi
    build_target release tactus_cli
}

trap stop_ticker EXIT
trap 'stop_ticker; exit 130' INT
trap 'stop_ticker; exit 143' TERM
