package io.kueue4j.k8s.kueue;

import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.manifest.Manifest;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Deployment of Kueue's manager: {@code kueue-controller-manager}. */
final class ManagerDeployment {
  private static final String NAME = "kueue-controller-manager";

  /** An image such as {@code registry.k8s.io/kueue/kueue:v0.19.7}, with or without a digest. */
  private static final Pattern IMAGE = Pattern.compile("(?:.*/)?kueue:([^@/:]+)(?:@.*)?");

  private ManagerDeployment() {}

  /** {@return the version of the image, absent if {@code manifest} does not show it} */
  static Optional<KueueVersion> version(Manifest manifest) {
    if (!manifest.is("apps", "Deployment") || !manifest.name().equals(Optional.of(NAME))) {
      return Optional.empty();
    }
    return Fields.of(manifest, Issues.of(manifest))
        .object("spec")
        .object("template")
        .object("spec")
        .objects("containers")
        .stream()
        .flatMap(container -> container.text("image").stream())
        .map(IMAGE::matcher)
        .filter(Matcher::matches)
        .flatMap(matcher -> KueueVersion.ofRelease(matcher.group(1)).stream())
        .findFirst();
  }
}
