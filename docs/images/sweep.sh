#!/usr/bin/env bash
# Takes docs/images/sweep-capacity.png and sweep-policies.png anew, the pictures of docs/planning.md. Run it when the report of sweeps has changed:
#   mvn -B -ntp package -Dquick && bash docs/images/sweep.sh FOLDER
# FOLDER holds openb-pods.csv.gz and openb-nodes.csv.gz; CHROMIUM names the browser, chromium unless set.
set -euo pipefail
traces=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp kueue-examples/src/main/resources/simulation/gpu/* "$traces"/openb-*.csv.gz "$folder"

picture() { # name, height
  java -jar kueue-examples/target/kueue-examples.jar sweep "$folder/openb-$1.yaml" --report "$folder/$1.html" > "$folder/out"
  "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size="1100,$2" --user-data-dir="$folder/profile" \
    --screenshot="$folder/$1.png" "file://$folder/$1.html"
  mv "$folder/$1.png" "docs/images/sweep-$1.png"
}
picture capacity 465
picture policies 1210
