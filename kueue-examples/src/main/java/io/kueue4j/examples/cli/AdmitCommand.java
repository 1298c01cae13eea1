package io.kueue4j.examples.cli;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.monitoring.MonitorPage;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.simulation.PhaseDifference;
import io.kueue4j.examples.simulation.SimulatedJob;
import io.kueue4j.k8s.Manifests;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints which jobs of manifests would be admitted, with which assignment, and why others wait. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "admit",
    description = {
      "Says which jobs of manifests would be admitted, on what, and what the others wait for.",
      "Applies all configuration, creates the jobs in the order of the manifests one second apart,"
          + " and runs scheduling cycles after each until nothing changes."
    },
    exitCodeList = {
      "0:done; with --exit-code: in the end every job is admitted or has finished",
      "1:with --exit-code: in the end a job waits or was rejected",
      "2:the input cannot be used"
    },
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {
      "  kueue4j admit queues.yaml jobs/",
      "  kueue4j admit --context prod --what-if more-quota.yaml -o wide"
    })
public final class AdmitCommand extends ExampleCommand {
  @Option(
      names = "--finish",
      paramLabel = "NAME",
      description = "Then finish that job and settle again: one more phase. May be repeated.")
  private List<String> finish = ImmutableList.of();

  @Option(
      names = "--order",
      paramLabel = "NAME",
      split = ",",
      description = "Create these jobs first, in this order.")
  private List<String> order = ImmutableList.of();

  @Mixin
  private SettingsOptions settings;

  @Mixin
  private TpuSlicesOption tpuSlices;

  @Option(
      names = "--what-if",
      paramLabel = "FILE",
      description =
          "In the end say what would differ if the queues, cohorts and other configuration"
              + " of that file were applied as well, and cycles were run until nothing changes.")
  private Optional<InputFile> whatIf = Optional.empty();

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description =
          "Write how it ends into that file, as a page of HTML: quotas and usage of queues"
              + " and cohorts, what runs, and what the others wait for; into standard output for -,"
              + " and print nothing else. A controller serves the same page.")
  private Optional<OutputFile> page = Optional.empty();

  @Option(
      names = "--exit-code",
      description = "Exit with 1 if in the end a job waits or was rejected; otherwise the exit code"
          + " is 0 in that case, too.")
  private boolean exitCode;

  @Mixin
  private StrictOption strict;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless set. As yaml, the"
          + " configuration and the workloads are printed as Kueue would store them in the end,"
          + " with status; admit goes on from what was printed.")
  private Output output;

  @Mixin
  private StateInput input;

  /** The formats of the result. */
  enum Output {
    TABLE,
    WIDE,
    JSON,
    YAML;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /** Creates the command; the command line sets its arguments. */
  public AdmitCommand() {}

  @Override
  public Integer call() {
    Notes notes = strict.notes();
    Manifests manifests = input.read(notes);
    Optional<Manifests> changed = whatIf.map(file -> notes.read(ImmutableList.of(file)));
    ManifestPlayer simulation =
        ManifestPlayer.of(manifests, settings.of(manifests), tpuSlices.isSet());
    simulation.warnings().forEach(notes::addWarning);
    changed.ifPresent(given -> ManifestPlayer.warningsOfChange(given).forEach(notes::addWarning));
    notes.finish();
    ImmutableList<Phase> phases = play(simulation);
    page.ifPresent(file ->
        file.write(MonitorPage.write(simulation.monitorView(), "Admission of " + input.title())));
    boolean waiting = phases.get(phases.size() - 1).isWaiting();
    if (!page.filter(OutputFile::isStandardOutput).isPresent()) {
      if (output == Output.YAML) {
        print(simulation.stored());
      } else {
        print(phases, changed.map(given -> difference(simulation, phases, given)));
      }
    }
    return exitCode && waiting ? ExitCodes.WAITING : ExitCodes.OK;
  }

  private ImmutableList<Phase> play(ManifestPlayer simulation) {
    ImmutableList.Builder<Phase> phases = ImmutableList.builder();
    Set<SimulatedJob> jobs = inOrder(simulation.jobs());
    try (Progress progress = progress(jobs.size())) {
      for (SimulatedJob job : jobs) {
        simulation.create(job);
        progress.add(1);
      }
    }
    boolean explained = output == Output.WIDE || output == Output.JSON;
    phases.add(simulation.phase("all jobs created", explained));
    for (String name : finish) {
      simulation.finish(name);
      phases.add(simulation.phase(name + " finished", explained));
    }
    return phases.build();
  }

  /** {@return how the result would differ if {@code changed} were applied, too} */
  private static PhaseDifference difference(
      ManifestPlayer simulation, ImmutableList<Phase> phases, Manifests changed) {
    ManifestPlayer study = simulation.whatIf();
    study.apply(changed);
    return PhaseDifference.between(phases.get(phases.size() - 1), study.phase("what if"));
  }

  private Set<SimulatedJob> inOrder(ImmutableList<SimulatedJob> jobs) {
    Set<SimulatedJob> ordered = new LinkedHashSet<>();
    for (String name : order) {
      List<SimulatedJob> called =
          jobs.stream().filter(job -> job.isCalled(name)).toList();
      if (called.isEmpty()) {
        throw new InputException("--order: there is no job " + name + "; " + available(jobs));
      }
      ordered.addAll(called);
    }
    ordered.addAll(jobs);
    return ordered;
  }

  private static String available(ImmutableList<SimulatedJob> jobs) {
    return jobs.isEmpty()
        ? "the manifests have no job that names a queue"
        : SimulatedJob.existing(jobs);
  }

  private void print(ImmutableList<GenericKubernetesResource> objects) {
    PrintWriter out = spec.commandLine().getOut();
    objects.forEach(object -> out.print(Serialization.asYaml(object)));
    out.flush();
  }

  private void print(ImmutableList<Phase> phases, Optional<PhaseDifference> difference) {
    PrintWriter out = spec.commandLine().getOut();
    if (output == Output.JSON) {
      JsonReport.print(phases, difference, out);
    } else {
      TableReport.print(phases, output == Output.WIDE, screen());
      difference.ifPresent(found ->
          DifferenceReport.print(whatIf.map(InputFile::toString).orElse(""), found, screen()));
    }
    out.flush();
  }
}
