# tools/setup.sh: common parts of the launchers: folders, Debian packages, configuring, building.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034 # Sourced by tools/flitwave, tools/test and .ci/run.

root=$(readlink -f "${BASH_SOURCE[0]%/*}/..")
builds=$(readlink -m "${FLITWAVE_BUILD:-$root/build}") # one folder per preset in it

# Packages for building and running the program.
program_packages=(
  g++ cmake ninja-build pkg-config gnuplot-nox libsystemc-dev libyaml-cpp-dev libboost-dev
  libboost-graph-dev libcli11-dev libfmt-dev nlohmann-json3-dev
)
# Further packages for routers in Verilog.
rtl_packages=(verilator python3 python3-yaml)
# Further packages for the tests and the programs that measure and compare.
test_packages=("${rtl_packages[@]}" valgrind catch2 librapidcheck-dev libbenchmark-dev yosys gtkwave
  python3-jsonschema)
# Further packages for .ci/run.
check_packages=(clang-format clang-tidy)

# CPU seconds of a build from scratch, for estimates; on an ordinary machine.
program_seconds=150
rtl_seconds=120 # routers in Verilog
tests_seconds=500

# Settings of the environment as options of CMake, e.g. those of .ci/run.
requested=()
[[ -z ${FLITWAVE_WERROR:-} ]] || requested+=("-DFLITWAVE_WERROR=$FLITWAVE_WERROR")
[[ -z ${FLITWAVE_RTL:-} ]] || requested+=("-DFLITWAVE_RTL=$FLITWAVE_RTL")
[[ -z ${FLITWAVE_COSTS:-} ]] || requested+=("-DFLITWAVE_COSTS=$(readlink -m "$FLITWAVE_COSTS")")

# say TEXT...: one line on standard error; the program's own output stays clean.
say() { printf 'flitwave: %s\n' "$*" >&2; }

# quietly COMMAND...: shows what the command printed only if it fails.
quietly() {
  local output status=0
  output=$("$@" 2>&1 </dev/null) || status=$?
  if ((status != 0)); then
    printf '%s\n' "$output" >&2
    say "failed with status $status: $*"
  fi
  return "$status"
}

# watched WHAT COMMAND...: on a terminal, the command shows its own progress; elsewhere a line every
# half minute reports the progress, and the command's output is shown only if it fails.
watched() {
  local what=$1 begun=$SECONDS next=$((SECONDS + 30)) line pipe child output="" far="" status=0
  shift
  if [[ -t 2 ]]; then
    "$@" >&2 </dev/null
    return
  fi
  # No shell between this one and the command, so that the command is signalled when this one ends.
  exec {pipe}< <(exec "$@" 2>&1 </dev/null)
  child=$!
  while true; do
    local wait=$((next - SECONDS))
    if ((wait <= 0)); then
      say "$what: ${far:+$far, }$((SECONDS - begun)) s"
      next=$((next + 30))
    elif IFS= read -r -t "$wait" -u "$pipe" line; then
      if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then # of ninja
        far="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} steps done"
      fi
      output+=$line$'\n'
    elif (($? <= 128)); then # the end, not the time limit
      break
    fi
  done
  exec {pipe}<&-
  wait "$child" || status=$?
  if ((status != 0)); then
    printf '%s' "$output" >&2
    say "failed with status $status: $*"
  fi
  return "$status"
}

# about SECONDS: "about 2.5 minutes on 2 cores", of CPU seconds that all cores share.
about() {
  local cores halves half=("" .5) time="a minute" noun=cores
  cores=$(nproc)
  halves=$((($1 / cores + 29) / 30))
  ((halves <= 2)) || time="$((halves / 2))${half[halves % 2]} minutes"
  ((cores > 1)) || noun=core
  echo "about $time on $cores $noun"
}

# alone_in FOLDER DESCRIPTOR: locks FOLDER until DESCRIPTOR is closed; waits for other holders of
# the lock.
alone_in() {
  if ! mkdir -p "$1" 2>/dev/null || [[ ! -w $1 ]] || ! eval "exec $2>\"\$1/.lock\""; then
    say "cannot write to $1; FLITWAVE_BUILD=FOLDER puts the build elsewhere"
    exit 5
  fi
  if ! flock -n "$2"; then
    say "waiting for another build in $1"
    flock "$2"
  fi
}

# missing_packages PACKAGE...: the packages that are not installed, one per line.
missing_packages() {
  local state package
  local -A installed=()
  while read -r state package; do
    if [[ $state == installed ]]; then installed[$package]=1; fi
  done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null)
  for package in "$@"; do
    if [[ -z ${installed[$package]:-} ]]; then printf '%s\n' "$package"; fi
  done
}

# install_packages PACKAGE...: installs missing packages, else returns at once; exits with 5 when it
# cannot. On a system without dpkg, CMake reports what is missing.
install_packages() {
  command -v dpkg-query >/dev/null || return 0
  [[ -n $(missing_packages "$@") ]] || return 0
  alone_in "$builds" 8
  local missing apt=(env)
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} > 0 && EUID != 0)); then
    if ! sudo -n true 2>/dev/null; then
      say "these Debian packages are missing; install them as root, then call again:"
      printf '  apt-get update && apt-get install --no-install-recommends %s\n' "${missing[*]}" >&2
      exit 5
    fi
    apt=(sudo -n env)
  fi
  apt+=(DEBIAN_FRONTEND=noninteractive LC_ALL=C)
  if ((${#missing[@]} > 0)); then
    say "installing ${#missing[@]} Debian packages: ${missing[*]}"
    if ! { finish_interrupted "${apt[@]}" &&
      watched "reading the list of packages" "${apt[@]}" apt-get -q "${apt_options[@]}" update &&
      watched "installing" "${apt[@]}" apt-get -q "${apt_options[@]}" install -y \
        --no-install-recommends "${missing[@]}"; }; then
      say "could not install: ${missing[*]}"
      exit 5
    fi
  fi
  exec 8>&-
}

apt_options=(-o DPkg::Lock::Timeout=600)

# finish_interrupted COMMAND...: completes an interrupted installation; the command provides the
# rights.
finish_interrupted() {
  [[ -z $(dpkg --audit 2>/dev/null) ]] || quietly "$@" dpkg --configure -a
}

# configure PRESET FOLDER [CMAKE OPTION...]: does nothing if FOLDER was configured in the same way,
# and here. Other options that FOLDER was configured with remain set, so that it is not recompiled.
configure() {
  local preset=$1 folder=$2
  shift 2
  if configured "$folder" "$preset" "$@"; then return 0; fi
  rm -f "$folder/.configured"
  (cd "$root" && quietly cmake --preset "$preset" --fresh -B "$folder" "$@") || return
  printf '%s\n' "$root" "$preset" "$@" >"$folder/.configured"
}

# configured FOLDER [PRESET] [CMAKE OPTION...]: true if FOLDER was configured for this tree and with
# these, and its presets are no newer.
configured() {
  local folder=$1 mark=$1/.configured line
  shift
  [[ -f $folder/build.ninja && -f $mark && ! $root/CMakePresets.json -nt $mark ]] || return
  for line in "$root" "$@"; do
    grep -qxFe "$line" "$mark" || return
  done
}

# build FOLDER [TARGET...]: builds these targets, or all. Ninja is signalled when this shell has
# ended, and ends its compilers at once; until then all of them hold the lock, since they write to
# FOLDER.
build() {
  local folder=$1
  shift
  touch "$folder/.building"
  watched "building" setpriv --pdeathsig TERM ninja -C "$folder" "${@:-all}" || return
  [[ ! ${1:-all} =~ ^(all|flitwave)$ ]] || mv "$folder/.building" "$folder/.built"
}

# The program is built in the folder of the tests, so that neither compiles it again.
program_folder=$builds/release
program_preset=release
program_options=() # of CMake, where no tests have been configured
program_sources=(-type d -o -name '*.[ch]pp' -o -name '*.cmake' -o -name '*.in' -o -name 'CMake*')

# with_rtl: from here on, the program is the one with routers in Verilog, in a folder of its own.
with_rtl() {
  program_folder=$builds/rtl
  program_preset=rtl
  program_options=(-DFLITWAVE_TESTS=OFF)
  program_packages+=("${rtl_packages[@]}")
  program_seconds=$((program_seconds + rtl_seconds))
}

# program_is_current: true if nothing has changed since the program was built.
program_is_current() {
  local mark=$program_folder/.built
  [[ -x $program_folder/tools/flitwave && -f $mark ]] || return
  if [[ $program_preset == rtl ]]; then # a design may have sources of any name, anywhere
    [[ $(ninja -C "$program_folder" -n flitwave 2>/dev/null | tail -n 1) == "ninja: no work to do." ]]
    return
  fi
  local rooms=(configs topologies algorithms modules routers testbenches tools)
  [[ -z $(cd "$root" && find CMakeLists.txt CMakePresets.json "${rooms[@]}" -newer "$mark" \
    \( "${program_sources[@]}" \) -print -quit) ]]
}

# build_program: brings the program up to date; exits with 5 when it cannot.
build_program() {
  program_is_current && return
  alone_in "$program_folder" 9
  if ! program_is_current; then # another call may have built it while this one waited
    if [[ ! -x $program_folder/tools/flitwave ]]; then
      say "setting up: Debian packages where they are missing, then the program, which takes" \
        "$(about "$program_seconds") to build; an interrupted build continues where it stopped"
    fi
    install_packages "${program_packages[@]}"
    configured "$program_folder" "${requested[@]}" ||
      configure "$program_preset" "$program_folder" "${program_options[@]}" "${requested[@]}" || exit 5
    say "building the program"
    build "$program_folder" flitwave || exit 5
  fi
  exec 9>&-
}

# build_companion TARGET: builds one of the other programs, which measure or compare; exits with 5
# when it cannot.
build_companion() {
  alone_in "$program_folder" 9
  install_packages "${program_packages[@]}" "${test_packages[@]}"
  [[ -x $program_folder/testbenches/$1/$1 ]] ||
    say "building tools/$1: $(about $((program_seconds + 60))) if nothing has been built yet"
  if ! { configure test "$program_folder" "${requested[@]}" && build "$program_folder" "$1"; }; then
    exit 5
  fi
  exec 9>&-
}
