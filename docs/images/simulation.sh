#!/usr/bin/env bash
# Takes docs/images/simulation-report.png and comparison-report.png anew, the pictures of docs/simulation.md. Run it when the reports have changed:
#   mvn -B -ntp package -Dquick && bash docs/images/simulation.sh
# KUEUE4J names the program, CHROMIUM the browser, chromium unless set.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
lab=kueue-examples/src/main/resources/simulation
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

picture() { # name, height, command
  "${KUEUE4J:-kueue-examples/target/kueue4j}" "$3" "$lab/lab.swf" --resource nvidia.com/gpu --config "$lab/queues.yaml" --report "$folder/$1.html" "${@:4}" > "$folder/out"
  "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size="1100,$2" --user-data-dir="$folder/profile" \
    --virtual-time-budget=5000 --screenshot="$folder/$1.png" "file://$folder/$1.html"
  mv "$folder/$1.png" "docs/images/$1-report.png"
}
picture simulation 680 simulate
picture comparison 940 compare --what-if "$lab/more-training.yaml"
