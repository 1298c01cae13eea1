package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.examples.history.History;
import io.kueue4j.examples.history.HistoryFile;
import io.kueue4j.examples.history.HistoryFormat;
import io.kueue4j.examples.history.HistoryPlan;
import io.kueue4j.examples.history.QueueMapping;
import io.kueue4j.examples.report.About;
import io.kueue4j.examples.report.LargeJobs;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.Latest;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.kueue.KueueConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of commands that simulate a history of jobs. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class HistoryOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(
      paramLabel = "HISTORY",
      description = "The jobs: a file in one of several formats (SWF, output of sacct, answers of"
          + " Prometheus, JSON lines, Workloads of a cluster and others), plain or compressed by"
          + " gzip or zip; - for standard input; baseline, large or tas for the configurations that"
          + " Kueue publishes times of.")
  private InputFile file;

  @Option(
      names = "--format",
      paramLabel = "HISTORY-FORMAT",
      description = "The format of the file, one of ${COMPLETION-CANDIDATES}; found out by its"
          + " first line unless set.")
  private Optional<HistoryFormat> format = Optional.empty();

  @Option(
      names = "--nodes",
      paramLabel = "FILE",
      description = "The nodes of a history of the format openb, which its pods are placed on.")
  private Optional<InputFile> nodes = Optional.empty();

  @Option(
      names = "--config",
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files and folders with queues, flavors, nodes and other configuration, - for"
          + " standard input; jobs among them are not simulated. Without this and a cluster, there"
          + " is one ClusterQueue for each partition or queue of the history.")
  private List<InputFile> config = ImmutableList.of();

  @Mixin
  private ClusterInput cluster;

  @Option(
      names = "--map",
      paramLabel = "FILE",
      description = "A file of YAML that says into which queues the jobs of which users, groups,"
          + " queues and partitions go. Without, a job goes into the LocalQueue or ClusterQueue"
          + " that is called like its queue or partition, or into the only one.")
  private Optional<InputFile> map = Optional.empty();

  @Option(
      names = "--resource",
      paramLabel = "NAME",
      defaultValue = "cpu",
      description = "The resource that a processor of the Standard Workload Format and of sacct"
          + " stands for; ${DEFAULT-VALUE} unless set.")
  private String resource;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Take only the first N jobs of the file.")
  private Optional<Integer> limit = Optional.empty();

  @Option(
      names = "--min-duration",
      paramLabel = "DURATION",
      description = "Leave out jobs that ran for less, such as PT1S, of those that --limit takes.")
  private Optional<Duration> minDuration = Optional.empty();

  @Option(
      names = "--exact-estimates",
      description = "With --backfill: expect each job to run as long as it does, whatever its user"
          + " expected.")
  private boolean exactEstimates;

  @Option(
      names = "--large",
      paramLabel = "PERCENT",
      defaultValue = "" + LargeJobs.DEFAULT_PERCENT,
      description = "Count jobs as large that request as many percent of the largest quota of their"
          + " ClusterQueue or more; ${DEFAULT-VALUE} unless set.")
  private int largePercent;

  @Option(
      names = "--cycle-interval",
      paramLabel = "DURATION",
      description = "Run one cycle at a time, in intervals such as PT0.1S. Without, cycles run"
          + " after each event until nothing changes.")
  private Optional<Duration> cycleInterval = Optional.empty();

  @Mixin
  private SettingsOptions settings;

  @Option(
      names = "--strict",
      description =
          "Take bad lines, and what manifests have that is passed over otherwise, for" + " errors.")
  private boolean strict;

  /** The manifests of {@code --config}, null until they are read. */
  private @Nullable Manifests configured;

  HistoryOptions() {}

  /** {@return the file with the history} */
  InputFile file() {
    return file;
  }

  /**
   * {@return what a report of the command says of its origin}
   *
   * @param title the title
   * @param summary what happened, line by line
   */
  About about(String title, ImmutableList<String> summary) {
    return new About(
        title, summary, CommandText.of(spec), String.join(" ", new Version().getVersion()));
  }

  /** {@return the percentage of a quota from which jobs are large} */
  int largePercent() {
    return largePercent;
  }

  /** {@return the notes of the command} */
  Notes notes() {
    return new Notes(strict, spec.commandLine().getErr());
  }

  /** {@return the history; prints what is left out of it} */
  History history() {
    limit.ifPresent(number -> check(number >= 1, "--limit is " + number + ", expected 1 or more"));
    check(
        ResourceNames.isQualifiedName(resource),
        "--resource is '" + resource + "', expected the name of a resource, such as cpu");
    cycleInterval.ifPresent(interval -> check(
        interval.compareTo(Duration.ofMillis(1)) >= 0,
        "--cycle-interval is " + interval + ", expected PT0.001S or more"));
    check(largePercent >= 1, "--large is " + largePercent + ", expected 1 or more");
    minDuration.ifPresent(least ->
        check(!least.isNegative(), "--min-duration is " + least + ", expected PT0S or more"));
    HistoryFile.Options options = new HistoryFile.Options(
            format, resource, nodes, limit.orElse(Integer.MAX_VALUE))
        .withMinDuration(minDuration.orElse(Duration.ZERO))
        .withExactEstimates(exactEstimates);
    History history = HistoryFile.read(file, covered().map(options::withCovered).orElse(options));
    HistoryNotes.print(history, file, strict, spec.commandLine().getErr());
    return history;
  }

  private void check(boolean condition, String message) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  /**
   * A simulation and the settings of its engine.
   *
   * @param simulation the simulation
   * @param settings the settings
   */
  record Configured(Simulation simulation, Settings settings) {}

  /** {@return the simulation of a history, by the configuration of the files and the cluster} */
  Configured simulation(History history) {
    Optional<Manifests> manifests = configured();
    List<ConfigObject> objects = manifests.map(Latest::inForce).orElse(ImmutableList.of());
    Settings configured = manifests.map(settings::of).orElseGet(settings::alone);
    HistoryPlan plan =
        HistoryPlan.of(history, objects, map.map(QueueMapping::read).orElse(QueueMapping.NONE));
    HistoryNotes.print(plan, configured, spec.commandLine().getErr());
    try {
      Simulation.Builder builder = Simulation.builder()
          .configuration(plan.configuration())
          .settings(configured)
          .start(history.start())
          .trace(plan.jobs());
      cycleInterval.ifPresent(builder::cycleInterval);
      return new Configured(builder.build(), configured);
    } catch (InvalidConfigurationException e) {
      throw new InputException(
          manifests.map(given -> Latest.message(e, given)).orElse(String.valueOf(e.getMessage())),
          e);
    } catch (IllegalArgumentException e) {
      throw new InputException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * {@return the manifests of {@code --config} and of the cluster, which are read once; empty if
   * there are none}
   */
  private Optional<Manifests> configured() {
    if (configured == null && (!config.isEmpty() || cluster.isGiven())) {
      String origin = cluster.isGiven() ? cluster.title(config) : "--config";
      configured = usable(origin, notes -> cluster.read(config, notes));
    }
    return Optional.ofNullable(configured);
  }

  /**
   * {@return the resources that ClusterQueues have quota for, so that it matters what jobs request;
   * empty if there is no configuration}
   */
  private Optional<ImmutableSet<String>> covered() {
    return configured()
        .map(manifests -> manifests.configObjects().stream()
            .filter(ClusterQueue.class::isInstance)
            .flatMap(queue -> ((ClusterQueue) queue).resourceGroups().stream())
            .flatMap(group -> group.coveredResources().stream())
            .collect(toImmutableSet()));
  }

  /**
   * {@return the settings of Kueue's Configuration among manifests, which options override; absent
   * if there is none}
   */
  Optional<Settings> settings(Manifests manifests) {
    return manifests.items().stream().anyMatch(KueueConfiguration::isOne)
        ? Optional.of(settings.of(manifests))
        : Optional.empty();
  }

  /** {@return the manifests in the files of an option, with at least one that decides} */
  Manifests manifests(String option, List<InputFile> files) {
    return usable(option, notes -> notes.read(files));
  }

  /** {@return the configuration that a change puts in force, by its manifests} */
  List<ConfigObject> change(Manifests changed) {
    return Latest.inForce(
        configured()
            .map(before -> ImmutableList.of(before, changed))
            .orElse(ImmutableList.of(changed)),
        changed);
  }

  private Manifests usable(String origin, Function<Notes, Manifests> reader) {
    Notes notes = notes();
    Manifests manifests = reader.apply(notes);
    Latest.replaced(manifests).forEach(notes::addWarning);
    notes.addConfiguration(manifests);
    notes.finish();
    if (manifests.configObjects().isEmpty() && settings(manifests).isEmpty()) {
      throw new InputException(
          origin + ": no queues, flavors or other configuration; expected at least one");
    }
    return manifests;
  }
}
