#!/usr/bin/env bash
# tools/wave_pictures.sh: the pictures of GTKWave in docs/images, without a screen: docs/waves.md
# SPDX-License-Identifier: Apache-2.0
# Runs the job of docs/waves.md with waves in VCD and FST, opens their views and that of the
# timeline on a virtual screen, zoomed out to the whole window, and writes what is on it. Installs
# GTKWave, Xvfb and ImageMagick. Ends with 1 when GTKWave does not open a file.
set -euo pipefail

root=$(readlink -f "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/..")
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
install_packages gtkwave xvfb xauth imagemagick
cd "$root"
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

# run FORMAT: the job with a wave in this format.
run() {
  tools/flitwave run configs/scenarios/blocked_worm.yaml --set wave.format="$1" --out "$runs/$1" --quiet
}

# picture NAME VIEW WIDTH HEIGHT: of the waves in a window of that size, without its tools.
picture() {
  local log=$runs/$1.log
  printf 'gtkwave::/Time/Zoom/Zoom_Full\n' >"$runs/zoom.tcl"
  sed -i "s/^\[size\] .*/[size] $3 $4/" "$2"
  # shellcheck disable=SC2016 # expanded inside
  (cd "$(dirname "$2")" && xvfb-run -a -s "-screen 0 $3x$4x24" bash -c '
    gtkwave -S "$1" "$2" & viewer=$!
    sleep 8
    import -window root "$3"
    kill "$viewer"' picture "$runs/zoom.tcl" "$(basename "$2")" "$runs/$1.png") >"$log" 2>&1
  if ! grep -q "Executing Tcl script" "$log" || grep -qi "error\|not found\|fail" "$log"; then
    cat "$log" >&2
    say "GTKWave does not open $2"
    return 1
  fi
  convert "$runs/$1.png" -crop "+44+116" +repage -strip "docs/images/$1.png"
  say "docs/images/$1.png"
}

run vcd
run fst
tools/flitwave timeline "$runs/vcd" --vcd
picture wave_blocked_worm "$runs/vcd/wave.gtkw" 1644 1150
picture wave_blocked_worm_fst "$runs/fst/wave.gtkw" 1644 540
picture wave_blocked_worm_tracks "$runs/vcd/timeline.gtkw" 1644 870
