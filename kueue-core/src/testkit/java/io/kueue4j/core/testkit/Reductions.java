package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ConfigObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reductions of a scenario, largest first. */
final class Reductions {
  private Reductions() {}

  static Stream<Scenario> of(Scenario scenario) {
    return Stream.of(
            withoutSteps(scenario), withoutObjects(scenario), withDefaultSettings(scenario))
        .flatMap(reductions -> reductions);
  }

  /** {@return the scenario without a half, a quarter … of its steps, the last ones first} */
  private static Stream<Scenario> withoutSteps(Scenario scenario) {
    int size = scenario.steps().size();
    return Stream.iterate(Math.max(1, size / 2), chunk -> chunk > 0, chunk -> chunk / 2)
        .filter(chunk -> size > 0)
        .flatMap(chunk -> IntStream.iterate(size - chunk, from -> from >= 0, from -> from - chunk)
            .mapToObj(from -> scenario.without(from, chunk)));
  }

  private static Stream<Scenario> withoutObjects(Scenario scenario) {
    return IntStream.range(0, scenario.steps().size())
        .boxed()
        .filter(i -> scenario.steps().get(i) instanceof Step.Apply)
        .flatMap(i -> {
          List<ConfigObject> objects = ((Step.Apply) scenario.steps().get(i)).objects();
          return objects.size() < 2
              ? Stream.empty()
              : objects.stream().map(dropped -> with(scenario, i, without(objects, dropped)));
        });
  }

  private static Step without(List<ConfigObject> objects, ConfigObject dropped) {
    return new Step.Apply(objects.stream()
        .filter(object -> !object.key().equals(dropped.key()))
        .collect(ImmutableList.toImmutableList()));
  }

  private static Scenario with(Scenario scenario, int index, Step step) {
    List<Step> steps = new ArrayList<>(scenario.steps());
    steps.set(index, step);
    return new Scenario(scenario.settings(), ImmutableList.copyOf(steps));
  }

  private static Stream<Scenario> withDefaultSettings(Scenario scenario) {
    Settings settings = scenario.settings();
    return Stream.of(
            Stream.of(Settings.builder().kueueVersion(settings.kueueVersion()).build()),
            settings.fairSharing().stream()
                .map(unused -> copy(settings, gate -> true, false, true).build()),
            settings.admissionFairSharing().stream()
                .map(unused -> copy(settings, gate -> true, true, false).build()),
            Stream.of(
                copy(settings, gate -> true, true, true).strictQuota(false).build(),
                copy(settings, gate -> true, true, true)
                    .holdsQuotaUntilStopped(false)
                    .build(),
                copy(settings, gate -> true, true, true).strictTopology(false).build(),
                copy(settings, gate -> true, true, true)
                    .strictFairSharing(false)
                    .build(),
                copy(settings, gate -> true, true, true).strictBorrowing(false).build()),
            settings.featureGates().keySet().stream()
                .map(dropped ->
                    copy(settings, gate -> gate != dropped, true, true).build()))
        .flatMap(each -> each)
        .filter(fewer -> !fewer.equals(settings))
        .map(fewer -> new Scenario(fewer, scenario.steps()));
  }

  private static Settings.Builder copy(
      Settings settings,
      Predicate<FeatureGate> gates,
      boolean withFairSharing,
      boolean withAdmissionFairSharing) {
    Settings.Builder copy = Settings.builder()
        .kueueVersion(settings.kueueVersion())
        .quotaCheckStrategy(settings.quotaCheckStrategy())
        .strictQuota(settings.strictQuota())
        .holdsQuotaUntilStopped(settings.holdsQuotaUntilStopped())
        .strictTopology(settings.strictTopology())
        .strictFairSharing(settings.strictFairSharing())
        .strictBorrowing(settings.strictBorrowing());
    settings.podsReady().ifPresent(copy::podsReady);
    settings.fairSharing().filter(unused -> withFairSharing).ifPresent(copy::fairSharing);
    settings
        .admissionFairSharing()
        .filter(unused -> withAdmissionFairSharing)
        .ifPresent(copy::admissionFairSharing);
    settings.featureGates().forEach((gate, enabled) -> {
      if (gates.test(gate)) {
        copy.putFeatureGates(gate, enabled);
      }
    });
    return copy;
  }
}
