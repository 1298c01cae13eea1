#!/usr/bin/env bash
# Takes docs/images/page.png anew, the picture of the page in README.md. Run it when the page has changed:
#   mvn -B -ntp package -Dquick && bash docs/images/page.sh
# CHROMIUM names the browser, chromium unless set.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tutorial=kueue-examples/src/main/resources/manifests/001-tpu-multislice-jobset
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

java -jar kueue-examples/target/kueue-examples.jar admit --page "$folder/page.html" "$tutorial/40-kueue-preemption.yaml" \
  "$tutorial/41-priority-class.yaml" "$tutorial/20-jobsets-autopilot.yaml" "$tutorial/42-jobset-low-priority-autopilot.yaml" \
  --order multislice-3slice,multislice-2slice,multislice-1slice,low-priority > "$folder/out"
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1100,740 --user-data-dir="$folder/profile" \
  --screenshot="$folder/page.png" "file://$folder/page.html"
mv "$folder/page.png" docs/images/page.png
