package io.kueue4j.core.internal.state;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.PodsReadyPolicy;
import java.util.Optional;

/**
 * What the stores of one state share.
 *
 * @param settings the settings
 * @param catalog the names in use
 * @param journal the inverses of the changes of the current call
 */
record StateContext(Settings settings, Catalog catalog, Journal journal) {
  /** {@return the context of a fork} */
  StateContext fork() {
    return new StateContext(settings, catalog, journal.fork());
  }

  /** {@return the policy for workloads whose pods are not ready, absent if ignored} */
  Optional<PodsReadyPolicy> podsReadyPolicy() {
    return settings.isEnabled(FeatureGate.DISABLE_WAIT_FOR_PODS_READY)
        ? Optional.empty()
        : settings.podsReady();
  }
}
