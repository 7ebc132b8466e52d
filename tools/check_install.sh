#!/usr/bin/env bash
# tools/check_install.sh: the first command on a new machine: tools/check_install.sh [--deb] CHROOT
# SPDX-License-Identifier: Apache-2.0
# CHROOT is an empty or missing folder, in which debootstrap installs Debian 12, and which is
# removed at the end; the caller is root. Tests the commit HEAD. Measures, in it: the download of
# packages, the README's first command, its second call, and `tools/test -L unit`; and checks the
# message for a user without root, a path with spaces, a machine without a network, and that an
# interrupted build keeps its compiled objects. With --deb, makes the Debian packages instead,
# installs them there, runs jobs, compiles projects of users, and removes them. Ends with 1 at the
# first failure.
set -euo pipefail

self=$(readlink -f "${BASH_SOURCE[0]}")
root=$(readlink -f "${self%/*}/..")
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
mode=""
if [[ ${1:-} == --deb ]]; then
  mode=--deb
  shift
fi
if (($# != 1)) || [[ -z $1 ]]; then
  say "tools/check_install.sh: needs one argument, the folder for a fresh system"
  exit 2
elif ((EUID != 0)); then
  say "tools/check_install.sh: only root can make a fresh system"
  exit 2
fi
# In a mount namespace of its own: however this script ends, nothing remains mounted in the folder.
if [[ -z ${FLITWAVE_OWN_MOUNTS:-} ]]; then
  FLITWAVE_OWN_MOUNTS=1 exec unshare --mount "$self" ${mode:+"$mode"} "$1"
fi
chroot_folder=$(readlink -m "$1")
mark=$chroot_folder/.flitwave_check # of a folder that may be removed
tree="/home/user/a tree with spaces" # in the fresh system
first_command=(tools/flitwave run configs/experiments/quickstart.yaml)
most_seconds=240 # for the first command without its downloads

fail() {
  echo "FAILED: $*"
  exit 1
}

# inside USER COMMAND...: runs a command in the tree of the fresh system.
inside() {
  local user=$1
  shift
  # shellcheck disable=SC2016 # expanded inside
  chroot "$chroot_folder" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp \
    setpriv --reuid="$user" --regid="$user" --clear-groups \
    /bin/bash -c 'cd "$1" && shift && "$@"' inside "$tree" "$@"
}

# timed NAME COMMAND...: prints the time of a command, and stores it in `seconds`. Do not use it
# with a function of several lines, which would not end at its first failure.
timed() {
  local name=$1 begun status=0
  shift
  begun=$(date +%s.%N)
  "$@" || status=$?
  seconds=$(awk -v a="$begun" -v b="$(date +%s.%N)" 'BEGIN { printf "%.2f", b - a }')
  printf '== %s: %s s, exit code %d\n' "$name" "$seconds" "$status"
  return "$status"
}

at_most() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b) }'; }

# remove_system: never removes mounted file systems.
remove_system() {
  [[ -e $mark ]] || return 0
  if mountpoint -q "$chroot_folder/proc"; then umount "$chroot_folder/proc"; fi
  rm -rf --one-file-system "$chroot_folder"
}

# fresh_system: also replaces one that an earlier call could not remove.
fresh_system() {
  remove_system
  [[ ! -e $chroot_folder || -z $(ls -A "$chroot_folder") ]] || fail "$chroot_folder is not empty"
  command -v debootstrap >/dev/null || install_packages debootstrap
  mkdir -p "$chroot_folder"
  touch "$mark"
  trap remove_system EXIT
  quietly debootstrap --variant=minbase bookworm "$chroot_folder" "$(mirror)"
  [[ ! -f /etc/apt/apt.conf ]] || cp /etc/apt/apt.conf "$chroot_folder/etc/apt/"
  cp -a /etc/apt/apt.conf.d/. "$chroot_folder/etc/apt/apt.conf.d/"
  cp /etc/resolv.conf /etc/hosts "$chroot_folder/etc/"
  mount -t proc proc "$chroot_folder/proc"
  mkdir -p "$chroot_folder$tree"
  git -C "$root" archive HEAD | tar -x -C "$chroot_folder$tree"
  chroot "$chroot_folder" useradd --uid 1000 user
  chown -R 1000:1000 "$chroot_folder/home/user"
}

# mirror: the source of this machine's Debian packages.
mirror() {
  local address
  address=$(sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+) .*/\2/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
  echo "${address:-http://deb.debian.org/debian}"
}

# objects FILTER...: the number of the program's objects that pass FILTER of find.
objects() { find "$chroot_folder$tree" -name '*.o' "$@" | wc -l; }

echo "testing the commit $(git -C "$root" rev-parse --short HEAD)"
if [[ -n $(git -C "$root" status --porcelain) ]]; then
  echo "WARNING: uncommitted changes are not tested"
fi
if [[ -n $mode ]]; then
  # shellcheck source=tools/check_packages.sh
  . "$root/tools/check_packages.sh"
  exit
fi
begun=$SECONDS
fresh_system
echo "== a fresh system: $((SECONDS - begun)) s"

# Before any installation.
[[ $(inside 1000 tools/flitwave --version) =~ ^[0-9]+\.[0-9]+ ]] || fail "--version needs a build"
inside 1000 tools/flitwave run --help | grep -q -- --set || fail "run --help needs a build"
if told=$(inside 1000 "${first_command[@]}" 2>&1); then fail "a user without root could install"; fi
grep -q 'apt-get install --no-install-recommends g++' <<<"$told" || fail "no message about packages to install: $told"
echo "message for a user without root: $(grep apt-get <<<"$told")"

# Downloads separately, as far as apt allows.
chroot "$chroot_folder" apt-get -q update >/dev/null
timed "downloads" quietly chroot "$chroot_folder" apt-get -q install -y --download-only \
  --no-install-recommends "${program_packages[@]}"

# Interrupted, as by Ctrl-C, when it has compiled some objects, then to its end: the compiled
# objects are kept.
begun=$(date +%s.%N)
set -m # otherwise a background process ignores interruptions
inside 0 "${first_command[@]}" &
set +m
until (($(objects) >= 6)) || ! kill -0 $! 2>/dev/null; do sleep 0.5; done
kill -INT -- "-$!" || fail "the first command ended before it had compiled anything"
wait $! && fail "the first command was not interrupted"
before=$(awk -v a="$begun" -v b="$(date +%s.%N)" 'BEGIN { printf "%.2f", b - a }')
kept=$(objects)
echo "== interrupted first command: $before s, $kept objects compiled"
touch "$chroot_folder/interrupted"
timed "the rest of the first command" inside 0 "${first_command[@]}" || fail "the first command"
again=$((kept - $(objects ! -newer "$chroot_folder/interrupted")))
((again == 0)) || fail "$again objects were compiled again after the interruption"
whole=$(awk -v a="$before" -v b="$seconds" 'BEGIN { printf "%.0f", a + b }')
echo "first command, downloads not counted: $whole s, limit $most_seconds;" \
  "the second call compiled $(($(objects) - kept)) of $(objects) objects"

# Second call, and a call without a network.
timed "second call" inside 0 "${first_command[@]}"
second=$seconds
timed "the program alone" inside 0 build/release/tools/flitwave "${first_command[@]:1}"
at_most "$second" "$(awk -v a="$seconds" 'BEGIN { print a + 0.1 }')" ||
  fail "the second call takes more than 0.1 s besides the program"
chown -R 1000:1000 "$chroot_folder/home/user"
# shellcheck disable=SC2016 # expanded inside
timed "without a network, without root" unshare --net -- chroot "$chroot_folder" \
  setpriv --reuid=1000 --regid=1000 --clear-groups /bin/bash -c \
  'cd "$1" && rm -rf build/release && tools/flitwave run --out /tmp/out configs/scenarios/edn_mesh_8x8.yaml' \
  inside "$tree" || fail "without a network"

timed "tools/test -L unit" inside 0 tools/test -L unit || fail "tools/test -L unit"
at_most "$whole" "$most_seconds" || fail "the first command took $whole s"
echo "all is well"
