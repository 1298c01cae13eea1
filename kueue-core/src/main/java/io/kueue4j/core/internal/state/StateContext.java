package io.kueue4j.core.internal.state;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.PodsReadyPolicy;
import java.util.Optional;

/** The context shared by the stores of one state. Not thread-safe. */
final class StateContext {
  private final Settings settings;
  private final Catalog catalog;
  private final ChangeLog changes = new ChangeLog();
  private ForkLoader loader = ForkLoader.NONE;

  StateContext(Settings settings, Catalog catalog) {
    this.settings = settings;
    this.catalog = catalog;
  }

  Settings settings() {
    return settings;
  }

  /** {@return the names in use} */
  Catalog catalog() {
    return catalog;
  }

  /** {@return the log that every elementary change goes through} */
  ChangeLog changes() {
    return changes;
  }

  /** {@return the inverses of the changes of the current call} */
  Journal journal() {
    return changes.journal();
  }

  /** {@return the loader of the parts that a look-up needs} */
  ForkLoader loader() {
    return loader;
  }

  void setLoader(ForkLoader newLoader) {
    loader = newLoader;
  }

  /** {@return the policy for workloads whose pods are not ready, absent if ignored} */
  Optional<PodsReadyPolicy> podsReadyPolicy() {
    return settings.isEnabled(FeatureGate.DISABLE_WAIT_FOR_PODS_READY)
        ? Optional.empty()
        : settings.podsReady();
  }
}
