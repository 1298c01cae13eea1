package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;

/**
 * Reads the past usage of a LocalQueue from its status, to be passed to
 * {@link io.kueue4j.core.AdmissionEngine#restoreConsumedUsage}.
 *
 * <pre>{@code
 * ConsumedUsageReader.read(manifest)
 *     .ifPresent(usage -> engine.restoreConsumedUsage(namespace, name, usage));
 * }</pre>
 *
 * <p>Rules: W-9.
 *
 * @since 0.1.0
 */
public final class ConsumedUsageReader {
  private ConsumedUsageReader() {}

  /**
   * {@return the usage, absent if the status has none}
   *
   * @param localQueue a LocalQueue of v1beta1 or v1beta2
   * @throws ManifestException if the usage cannot be read; says every field
   */
  public static Optional<ConsumedUsage> read(Manifest localQueue) {
    Issues issues = Issues.of(localQueue);
    Fields usage = Fields.of(localQueue, issues)
        .object("status")
        .object("fairSharing")
        .object("admissionFairSharingStatus");
    if (!usage.isPresent()) {
      issues.throwProblems();
      return Optional.empty();
    }
    ImmutableSortedMap.Builder<String, BigDecimal> resources = ImmutableSortedMap.naturalOrder();
    usage.quantities("consumedResources").forEach((resource, text) -> {
      BigDecimal amount = Quantity.parse(text);
      if (amount.signum() < 0) {
        usage.problem("consumedResources", text + " of " + resource + "; expected 0 or more");
      } else {
        resources.put(resource, amount);
      }
    });
    Optional<Instant> lastUpdate = WorkloadReader.time(usage, "lastUpdate");
    if (!usage.has("lastUpdate")) {
      usage.missing("lastUpdate", "when the usage was computed");
    }
    issues.throwProblems();
    return lastUpdate.map(at -> new ConsumedUsage(resources.buildOrThrow(), at));
  }
}
