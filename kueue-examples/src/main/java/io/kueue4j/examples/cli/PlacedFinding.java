package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.kueue4j.core.lint.Finding;
import io.kueue4j.k8s.manifest.ManifestIssue;

/**
 * A finding in manifests.
 *
 * @param finding the finding
 * @param object the kind and name of the object as the manifest has them
 * @param place where it is, with its message
 */
record PlacedFinding(Finding finding, String object, ManifestIssue place) {
  /** {@return what identifies the finding, whatever its line and its figures} */
  String fingerprint() {
    return Hashing.sha256()
        .hashString(finding.rule() + "\n" + object + "\n" + place.field(), UTF_8)
        .toString()
        .substring(0, 32);
  }

  /** {@return whether it is in a text, and not in a live cluster} */
  boolean isInText() {
    return place.line() > 0;
  }

  /** {@return the object, field and message; the name stands for the whole object} */
  String text() {
    String field = place.field().isEmpty() || place.field().equals("metadata.name")
        ? ""
        : place.field() + ": ";
    return object + ": " + field + place.message();
  }
}
