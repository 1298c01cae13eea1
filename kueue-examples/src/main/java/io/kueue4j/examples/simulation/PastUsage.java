package io.kueue4j.examples.simulation;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.internal.kueue.ConsumedUsageReader;
import io.kueue4j.k8s.manifest.ManifestException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What LocalQueues used in the past, by their status, as far as it decides on admission.
 *
 * @param byQueue the usage by LocalQueue
 */
record PastUsage(ImmutableMap<LocalQueue, ConsumedUsage> byQueue) {
  /**
   * {@return the usage of the LocalQueues among manifests; none if past usage decides nothing}
   *
   * @throws InputException if a status cannot be read; says every place
   */
  static PastUsage of(Manifests manifests, Settings settings) {
    if (settings.admissionFairSharing().isEmpty()
        || !settings.isEnabled(FeatureGate.ADMISSION_FAIR_SHARING)) {
      return new PastUsage(ImmutableMap.of());
    }
    ImmutableMap.Builder<LocalQueue, ConsumedUsage> usage = ImmutableMap.builder();
    List<Object> problems = new ArrayList<>();
    for (GivenObject config : Latest.byKey(manifests).values()) {
      if (config.object() instanceof LocalQueue queue) {
        try {
          ConsumedUsageReader.read(config.manifest()).ifPresent(used -> usage.put(queue, used));
        } catch (ManifestException e) {
          problems.addAll(e.problems());
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(problems));
    }
    return new PastUsage(usage.buildOrThrow());
  }

  /** {@return when the latest usage was computed, empty if there is none} */
  Optional<Instant> lastUpdate() {
    return byQueue.values().stream().map(ConsumedUsage::lastUpdate).max(Comparator.naturalOrder());
  }

  /** Restores the usage in an engine that has the LocalQueues. */
  void restoreTo(AdmissionEngine engine) {
    byQueue.forEach(
        (queue, used) -> engine.restoreConsumedUsage(queue.namespace(), queue.name(), used));
  }
}
