package io.kueue4j.core.internal.state;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.support.UndoLog;
import io.kueue4j.core.model.PodsReadyPolicy;
import java.util.Optional;

/** What the stores of one state share. Not safe for several threads. */
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

  /** {@return the names in use with their ids} */
  Catalog catalog() {
    return catalog;
  }

  /** {@return what every elementary change goes through} */
  ChangeLog changes() {
    return changes;
  }

  /** {@return the log of inverses, of the call at hand} */
  UndoLog undo() {
    return changes.undo();
  }

  /** {@return what loads parts that a look-up needs} */
  ForkLoader loader() {
    return loader;
  }

  void setLoader(ForkLoader newLoader) {
    loader = newLoader;
  }

  /** {@return what happens to workloads whose pods are not ready, absent for nothing} */
  Optional<PodsReadyPolicy> podsReadyPolicy() {
    return settings.isEnabled(FeatureGate.DISABLE_WAIT_FOR_PODS_READY)
        ? Optional.empty()
        : settings.podsReady();
  }
}
