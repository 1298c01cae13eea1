package io.kueue4j.examples.cli;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.simulation.Comparison;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.history.History;
import io.kueue4j.examples.report.About;
import io.kueue4j.examples.report.ComparisonReport;
import io.kueue4j.examples.simulation.BackfillChoice;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.Latest;
import io.kueue4j.k8s.Manifests;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Simulates a history twice, and says what a change of the configuration would do to whom. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "compare",
    description = {
      "Simulates a history of jobs twice, without and with a change, and says what the change does"
          + " to whom.",
      "Names the first decision that differs, with its reason."
    },
    exitCodeList = {"0:done", "2:the input cannot be used"},
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {"  kueue4j compare history.swf --config queues.yaml --what-if more-quota.yaml"})
public final class CompareCommand extends ExampleCommand {
  @Mixin
  private HistoryOptions options;

  @Option(
      names = "--what-if",
      paramLabel = "PATH",
      arity = "1..*",
      description = "The change: queues, cohorts and other configuration, each of which replaces"
          + " the one of its name or is new; and Kueue's Configuration, which replaces the one of"
          + " --config. Options of settings, such as --feature-gate, override both.")
  private List<InputFile> change = ImmutableList.of();

  @Option(
      names = "--what-if-fair-sharing",
      description = "The change: share quota fairly among ClusterQueues of a cohort.")
  private boolean fairSharing;

  @Option(
      names = "--what-if-backfill",
      paramLabel = "DEPTH",
      converter = BackfillOptions.Depth.class,
      description = "The change: promise a start to as many of the first waiting jobs of each"
          + " ClusterQueue, as --backfill does.")
  private Optional<Integer> backfill = Optional.empty();

  @Option(
      names = "--what-if-filler-order",
      paramLabel = "ORDER",
      description = "The change: try the jobs without a promise in the order of the queue, or the"
          + " shortest first: ${COMPLETION-CANDIDATES}. With --backfill or --what-if-backfill.")
  private Optional<BackfillChoice.Order> fillerOrder = Optional.empty();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless set. As csv, one line"
          + " for each job; as html, a page with the charts of both side by side, which needs no"
          + " network.")
  private Output output;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Also write the page of -o html into that file; into standard output for -, and"
          + " print nothing else.")
  private Optional<OutputFile> report = Optional.empty();

  /** The formats of the result. */
  enum Output {
    TABLE,
    JSON,
    CSV,
    HTML;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /** Creates the command; the command line sets its arguments. */
  public CompareCommand() {}

  @Override
  public Integer call() {
    if (change.isEmpty() && !fairSharing && backfills().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "there is no change; expected --what-if, --what-if-fair-sharing, --what-if-backfill or"
              + " --what-if-filler-order");
    }
    History history = options.history();
    HistoryOptions.Configured configured = options.simulation(history);
    Simulation before = configured.simulation();
    Simulation after = changed(configured);
    try (Interruption interruption = Interruption.watch()) {
      Comparison comparison = compare(before, after, interruption);
      warnOfLoops(comparison.base().repeatedStops());
      warnOfLoops(comparison.other().repeatedStops());
      report.ifPresent(file -> html(comparison, interruption).ifPresent(file::write));
      if (report.filter(OutputFile::isStandardOutput).isEmpty()) {
        switch (output) {
          case TABLE -> ComparisonTables.print(comparison, options.largePercent(), screen());
          case JSON ->
            SimulationJson.print(
                comparison, history, options.largePercent(), spec.commandLine().getOut());
          case CSV -> JobsCsv.print(comparison, history, spec.commandLine().getOut());
          case HTML ->
            html(comparison, interruption).ifPresent(spec.commandLine().getOut()::print);
        }
        spec.commandLine().getOut().flush();
      }
    }
    return ExitCodes.OK;
  }

  private Simulation changed(HistoryOptions.Configured before) {
    if (change.isEmpty()) {
      return changed(before.simulation(), before.settings());
    }
    Manifests manifests = options.manifests("--what-if", change);
    try {
      return changed(
          before.simulation().with(options.change(manifests)),
          options.settings(manifests).orElse(before.settings()));
    } catch (InvalidConfigurationException e) {
      throw new InputException(Latest.message(e, manifests), e);
    } catch (IllegalArgumentException e) {
      throw new InputException("--what-if: " + e.getMessage(), e);
    }
  }

  private Simulation changed(Simulation simulation, Settings settings) {
    if (backfills().lacksDepth(settings.backfill())) {
      throw new InputException("--what-if-filler-order needs --backfill or --what-if-backfill");
    }
    Settings.Builder after =
        Settings.builder().from(settings).backfill(backfills().apply(settings.backfill()));
    if (fairSharing) {
      after.fairSharing();
    }
    return simulation.with(after.build());
  }

  private BackfillChoice backfills() {
    return new BackfillChoice(backfill, fillerOrder, Optional.empty());
  }

  private Comparison compare(Simulation before, Simulation after, Interruption interruption) {
    int jobs = before.trace().size();
    try (Progress progress = progress(2L * jobs).withRate("jobs")) {
      SimulationResult base = before.run(status -> {
        progress.set(status.endedJobs());
        return !interruption.isRequested();
      });
      SimulationResult other = after.run(status -> {
        progress.set((long) jobs + status.endedJobs());
        return !interruption.isRequested();
      });
      return Comparison.of(base, other);
    }
  }

  private Optional<String> html(Comparison comparison, Interruption interruption) {
    About about = options.about(
        "Comparison of two simulations of " + options.file().shortName(),
        ComparisonTables.lines(comparison, options.largePercent()));
    return report(interruption, progress -> ComparisonReport.write(comparison, about, progress));
  }
}
