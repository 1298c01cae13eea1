package io.kueue4j.core.lint;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ConfigObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Finds the settings that end a loop, by playing its workloads with them. */
final class LoopEndings {
  private static final long MAX_STATES = 20_000;

  /** A setting that may end loops. */
  private static final class Ending {
    final String name;
    private final Collection<? extends ConfigObject> configuration;
    private final Settings settings;
    private @Nullable WorldModel model;

    Ending(String name, Collection<? extends ConfigObject> configuration, Settings settings) {
      this.name = name;
      this.configuration = configuration;
      this.settings = settings;
    }

    /** {@return whether as many workloads of these types make no loop} */
    boolean ends(List<JobType> workloads, boolean arrivalsAnyTime) {
      if (model == null) {
        model = new WorldModel(configuration, settings);
      }
      List<JobType> types = workloads.stream().distinct().toList();
      StateGraph graph = new StateGraph(model.empty(types), types, arrivalsAnyTime);
      boolean isFree = true;
      for (int i = 0; isFree && i < workloads.size(); i++) {
        isFree = graph.grow(MAX_STATES) && graph.rounds().isEmpty();
      }
      return isFree;
    }
  }

  private final List<Ending> single = new ArrayList<>();
  private final Ending all;
  private final boolean arrivalsAnyTime;

  LoopEndings(
      Collection<? extends ConfigObject> configuration,
      Settings settings,
      boolean arrivalsAnyTime) {
    this.arrivalsAnyTime = arrivalsAnyTime;
    Map<String, UnaryOperator<Settings>> changes = new LinkedHashMap<>();
    if (!settings.isEnabled(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS)) {
      changes.put(
          FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS.toString(), LoopEndings::withPreemptorsFirst);
    }
    if (!settings.strictBorrowing()) {
      changes.put(
          "strictBorrowing",
          old -> Settings.builder().from(old).strictBorrowing(true).build());
    }
    if (settings.fairSharing().isPresent() && !settings.strictFairSharing()) {
      changes.put(
          "strictFairSharing",
          old -> Settings.builder().from(old).strictFairSharing(true).build());
    }
    Settings together = settings;
    for (Map.Entry<String, UnaryOperator<Settings>> change : changes.entrySet()) {
      single.add(new Ending(change.getKey(), configuration, change.getValue().apply(settings)));
      together = change.getValue().apply(together);
    }
    all = new Ending(String.join(" and ", changes.keySet()), configuration, together);
  }

  private static Settings withPreemptorsFirst(Settings settings) {
    Map<FeatureGate, Boolean> gates = new TreeMap<>(settings.featureGates());
    gates.put(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS, true);
    return Settings.builder().from(settings).featureGates(gates).build();
  }

  /**
   * {@return the names of the settings each of which ends all loops of workloads, or all together}
   */
  List<String> of(List<JobType> workloads) {
    List<String> names = single.stream()
        .filter(ending -> ending.ends(workloads, arrivalsAnyTime))
        .map(ending -> ending.name)
        .toList();
    return names.isEmpty() && single.size() > 1 && all.ends(workloads, arrivalsAnyTime)
        ? List.of(all.name)
        : names;
  }
}
