package io.kueue4j.examples.controller.configuration;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.ManifestException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores the past usage of LocalQueues, with admission fair sharing: an earlier controller, or
 * another replica, has written it to their status. Rules: W-9.
 */
final class RecordedUsage {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedUsage.class);
  private static final ManifestReader READER = ManifestReader.create();

  private final AdmissionEngine engine;
  private final boolean counts;
  private final Map<ObjectKey, HasMetadata> unrestored = new LinkedHashMap<>();

  RecordedUsage(AdmissionEngine engine) {
    this.engine = engine;
    counts = engine.settings().admissionFairSharing().isPresent()
        && engine.settings().isEnabled(FeatureGate.ADMISSION_FAIR_SHARING);
  }

  /** Receives an object that the engine does not have yet, or that is gone. */
  void note(ObjectKey key, Optional<HasMetadata> object) {
    if (counts && key.is(KueueApiVersion.GROUP, "LocalQueue")) {
      unrestored.remove(key);
      object.ifPresent(queue -> unrestored.put(key, queue));
    }
  }

  /**
   * Restores the usage of the queues that the engine has meanwhile. Restore the jobs that hold
   * quota first.
   *
   * @param configuration what the engine has
   */
  void restore(ClusterConfiguration configuration) {
    unrestored.entrySet().removeIf(entry -> {
      ObjectKey key = entry.getKey();
      boolean isKnown = configuration.localQueue(key.namespace(), key.name()).isPresent();
      if (isKnown) {
        restore(key, entry.getValue());
      }
      return isKnown;
    });
  }

  private void restore(ObjectKey key, HasMetadata queue) {
    try {
      READER
          .read(ManifestSource.of(queue))
          .consumedUsage()
          .values()
          .forEach(usage -> engine.restoreConsumedUsage(key.namespace(), key.name(), usage));
    } catch (ManifestException e) {
      LOG.warn("the past usage of " + key + " starts from zero: " + e.getMessage());
    }
  }
}
