package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Iterables;
import com.google.common.collect.Maps;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.Simulation.Observer;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.history.History;
import io.kueue4j.examples.history.HistoryFile;
import io.kueue4j.examples.history.HistoryPlan;
import io.kueue4j.examples.history.QueueMapping;
import io.kueue4j.examples.report.LargeJobs;
import io.kueue4j.examples.report.Utilisation;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.Latest;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.examples.sweep.GridConfiguration;
import io.kueue4j.examples.sweep.GridHistory;
import io.kueue4j.examples.sweep.JobVariant;
import io.kueue4j.examples.sweep.PointResult;
import io.kueue4j.examples.sweep.Policy;
import io.kueue4j.examples.sweep.Step;
import io.kueue4j.examples.sweep.SweepGrid;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.Manifest;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The files of a grid, read as {@code simulate} reads them; and the simulation of a point. The
 * latter is thread-safe.
 */
final class SweepInput {
  private final SweepGrid grid;
  private final Map<GridHistory, History> histories = new HashMap<>();
  private final Map<GridConfiguration, Loaded> configurations = new HashMap<>();
  private final Map<Policy, Loaded> policies = new HashMap<>();
  private final Map<Base, HistoryPlan> plans = new HashMap<>();

  private SweepInput(SweepGrid grid) {
    this.grid = grid;
  }

  /** What files contain: all objects, and those to apply. */
  private record Loaded(Manifests manifests, List<ConfigObject> toApply) {
    static final Loaded NONE =
        new Loaded(ManifestFiles.readSources(ImmutableList.of()), ImmutableList.of());
  }

  /** A history in the queues of a configuration. */
  private record Base(GridHistory history, GridConfiguration configuration) {}

  /**
   * Reads the files of a grid, and prints what there is to note; and checks that each amount can be
   * changed in each configuration.
   *
   * @throws InputException if a file cannot be used, or an amount does not exist
   */
  static SweepInput read(SweepGrid grid, boolean strict, PrintWriter err) {
    SweepInput input = new SweepInput(grid);
    Notes notes = new Notes(strict, err);
    for (GridConfiguration configuration : grid.configurations()) {
      input.configurations.put(configuration, objects(configuration.files(), notes));
    }
    for (Policy policy : grid.policies()) {
      input.policies.put(policy, objects(policy.files(), notes));
    }
    notes.finish();
    for (GridHistory each : grid.histories()) {
      History history = HistoryFile.read(each.file(), each.options());
      HistoryNotes.print(history, each.file(), strict, err);
      input.histories.put(each, within(each, history));
    }
    input.plan(err);
    return input;
  }

  private static Loaded objects(List<InputFile> files, Notes notes) {
    if (files.isEmpty()) {
      return Loaded.NONE;
    }
    Manifests manifests = notes.read(files);
    notes.addConfiguration(manifests);
    return new Loaded(manifests, Latest.inForce(manifests));
  }

  private static History within(GridHistory each, History history) {
    History within = new History(
        history.source(),
        history.start().plus(each.from()),
        history.jobs().stream()
            .filter(job -> each.includes(job.times().submit()))
            .map(job -> job.withSubmit(job.times().submit() - each.from().toMillis()))
            .collect(toImmutableList()),
        history.machine(),
        history.lines());
    if (within.jobs().isEmpty()) {
      throw new InputException(each.file() + ": no job was submitted between 'from' and 'until'");
    }
    return within;
  }

  private void plan(PrintWriter err) {
    Set<String> warnings = new LinkedHashSet<>();
    histories.forEach((name, history) -> {
      QueueMapping mapping = name.map().map(QueueMapping::read).orElse(QueueMapping.NONE);
      configurations.forEach((configuration, objects) -> {
        HistoryPlan plan = HistoryPlan.of(history, objects.toApply(), mapping);
        plans.put(new Base(name, configuration), plan);
        for (Step step : grid.steps()) {
          List<ConfigObject> unused = step.apply(plan.configuration(), 0);
        }
        for (Policy policy : grid.policies()) {
          warnings.addAll(HistoryNotes.withoutQuota(
              new HistoryPlan(configuration(plan, policy), plan.jobs()),
              settings(configuration, policy),
              history.source() + " in the configuration '" + configuration.name() + "': ",
              "'resource' of the history"));
        }
      });
    });
    warnings.forEach(err::println);
  }

  /** {@return the number of jobs of all these points} */
  long jobs(List<Integer> points) {
    return points.stream()
        .mapToLong(point -> plan(grid.point(point)).jobs().size())
        .sum();
  }

  private HistoryPlan plan(SweepGrid.Point point) {
    HistoryPlan plan = plans.get(new Base(point.history(), point.configuration()));
    if (plan == null) {
      throw new IllegalStateException("no plan for point " + point.number());
    }
    return plan;
  }

  /**
   * {@return the result of a point, empty if it was interrupted}
   *
   * @param number the number of the point
   * @param progress follows the simulation
   * @throws InputException if the configuration is invalid
   */
  Optional<PointResult> simulate(int number, Observer progress) {
    SweepGrid.Point point = grid.point(number);
    HistoryPlan plan = plan(point);
    History history = histories.get(point.history());
    Instant start = history == null ? Instant.EPOCH : history.start();
    List<ConfigObject> configuration = configuration(point, plan);
    ImmutableList<SimulationJob> jobs =
        JobVariant.of(plan.jobs(), start, point, grid.load().block());
    SimulationResult result;
    try {
      result = Simulation.builder()
          .configuration(configuration)
          .settings(settings(point.configuration(), point.policy()))
          .start(start)
          .trace(jobs)
          .build()
          .run(progress);
    } catch (InvalidConfigurationException e) {
      String message = Latest.message(
          e,
          of(policies, point.policy()).manifests(),
          of(configurations, point.configuration()).manifests());
      throw new InputException("point " + number + ": " + message, e);
    } catch (IllegalArgumentException e) {
      throw new InputException("point " + number + ": " + e.getMessage(), e);
    }
    return result.end() == SimulationResult.End.CANCELLED
        ? Optional.empty()
        : Optional.of(new PointResult(
            number,
            result.total(),
            large(point, plan).summaryOf(result),
            result.by(JobResult::clusterQueue),
            ImmutableSortedMap.copyOf(Maps.transformValues(
                Utilisation.resources(result),
                all -> new PointResult.Usage(all.used(), all.nominal()))),
            result.repeatedStops(),
            result.digest()));
  }

  /**
   * {@return the jobs of a point that are large with the first value of each step, whatever its own
   * values, so that points compare the same jobs}
   */
  private LargeJobs large(SweepGrid.Point point, HistoryPlan plan) {
    List<ConfigObject> configuration = plan.configuration();
    for (Step step : grid.steps()) {
      configuration = step.apply(configuration, 0);
    }
    return LargeJobs.of(configuration, point.history().largePercent());
  }

  /** {@return the configuration of a plan under a policy} */
  private List<ConfigObject> configuration(HistoryPlan plan, Policy policy) {
    Map<String, ConfigObject> byKey = new LinkedHashMap<>();
    Iterables.concat(plan.configuration(), of(policies, policy).toApply())
        .forEach(object -> byKey.put(object.key(), object));
    return byKey.values().stream()
        .map(object -> !policy.mayPreempt() && object instanceof ClusterQueue queue
            ? ClusterQueue.builder().from(queue).preemption(Preemption.never()).build()
            : object)
        .collect(toImmutableList());
  }

  private List<ConfigObject> configuration(SweepGrid.Point point, HistoryPlan plan) {
    List<ConfigObject> configuration = configuration(plan, point.policy());
    for (int step = 0; step < grid.steps().size(); step++) {
      configuration = grid.steps().get(step).apply(configuration, point.value(step));
    }
    return configuration;
  }

  private Settings settings(GridConfiguration configuration, Policy policy) {
    Iterable<Manifest> items = Iterables.concat(
        of(configurations, configuration).manifests().items(),
        of(policies, policy).manifests().items());
    return SettingsOptions.override(
        SettingsOptions.configured(items),
        policy.fairSharing(),
        policy.usageHalfLife(),
        policy.backfill(),
        policy.preemptionLimits(),
        policy.featureGates());
  }

  private static <K> Loaded of(Map<K, Loaded> objects, K key) {
    return objects.getOrDefault(key, Loaded.NONE);
  }
}
