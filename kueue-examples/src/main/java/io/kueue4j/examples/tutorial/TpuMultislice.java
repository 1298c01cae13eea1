package io.kueue4j.examples.tutorial;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.examples.cli.TableReport;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.simulation.SimulatedJob;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobEditor;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobSet;
import io.kueue4j.k8s.kueue.ConfigManifest;
import java.io.PrintWriter;

/**
 * JobSets on TPU slices: 24 chips, and jobs that need one, two and three slices of eight.
 *
 * <p>The job of three slices is created first and takes all chips; when it has finished, the two
 * others run side by side. In the second part a JobSet of higher priority preempts the job of three
 * slices. The variant for GKE Autopilot is played; the standard one has the same requests. In the
 * third part the engine knows the node pools, each of which is one slice of two hosts: first as
 * domains of a topology, then as TPU slices.
 */
public final class TpuMultislice {
  private static final TutorialManifests MANIFESTS =
      new TutorialManifests("001-tpu-multislice-jobset");
  private static final String THREE_SLICES = "multislice-3slice";

  private TpuMultislice() {}

  /** Prints the tutorial. */
  public static void main(String... arguments) {
    PrintWriter out = TutorialManifests.standardOutput();
    playQueueing(out);
    out.println();
    playPreemption(out);
    out.println();
    playTopology(out);
    out.println();
    playSlices(out);
  }

  /** {@return the queues with three jobs, and after the largest has finished} */
  static ImmutableList<Phase> playQueueing(PrintWriter out) {
    Manifests manifests = MANIFESTS.read("10-kueue.yaml", "20-jobsets-autopilot.yaml");
    ManifestPlayer simulation = ManifestPlayer.of(manifests);
    // The file starts with the smallest.
    simulation.jobs().reverse().forEach(simulation::create);
    Phase start = simulation.phase("three jobs created, the largest first");
    simulation.finish(THREE_SLICES);
    ImmutableList<Phase> phases =
        ImmutableList.of(start, simulation.phase(THREE_SLICES + " finished"));
    TableReport.print(phases, false, out);
    JobSet started = started(manifests, start.job(THREE_SLICES).orElseThrow());
    out.println();
    out.println("To start it, " + THREE_SLICES + " was written back with suspend: "
        + started.getSpec().suspend() + " and the node selector "
        + started
            .getSpec()
            .replicatedJobs()
            .get(0)
            .template()
            .getSpec()
            .getTemplate()
            .getSpec()
            .getNodeSelector());
    return phases;
  }

  /** {@return the queue before and after a JobSet of higher priority was created} */
  static ImmutableList<Phase> playPreemption(PrintWriter out) {
    ManifestPlayer simulation = ManifestPlayer.of(MANIFESTS.read(
        "40-kueue-preemption.yaml",
        "41-priority-class.yaml",
        "20-jobsets-autopilot.yaml",
        "42-jobset-low-priority-autopilot.yaml"));
    ImmutableList<SimulatedJob> jobs = simulation.jobs();
    simulation.create(jobs.get(2));
    Phase before = simulation.phase(THREE_SLICES + " created");
    simulation.create(jobs.get(3));
    Phase after = simulation.phase("low-priority created, whose priority is the higher one");
    TableReport.print(ImmutableList.of(before, after), true, out);
    after
        .events()
        .forEach(event -> out.println(event.type() + " " + event.job().name()
            + (event.reason().isEmpty() ? "" : ", " + event.reason() + " for " + event.by())));
    return ImmutableList.of(before, after);
  }

  /** {@return the jobs with a node pool for each slice, and then with a node less} */
  static ImmutableList<Phase> playTopology(PrintWriter out) {
    ManifestPlayer simulation = ManifestPlayer.of(
        MANIFESTS.read("00-nodes.derived.yaml", "50-topology.yaml", "51-jobsets-topology.yaml"));
    simulation.jobs().reverse().forEach(simulation::create);
    Phase placed = simulation.phase("three jobs created, the largest first");
    simulation.apply(MANIFESTS.read("52-cordoned-node.yaml"));
    simulation.finish(THREE_SLICES);
    Phase cordoned = simulation.phase("a node cordoned, then " + THREE_SLICES + " finished");
    ImmutableList<Phase> phases = ImmutableList.of(placed, cordoned);
    TableReport.print(phases, false, out);
    return phases;
  }

  /** {@return the jobs on slices, after the largest has finished, and then with a node less} */
  static ImmutableList<Phase> playSlices(PrintWriter out) {
    ManifestPlayer simulation = ManifestPlayer.of(
        MANIFESTS.read("00-nodes.derived.yaml", "10-kueue.yaml", "21-jobsets-standard.yaml"),
        Settings.defaults(),
        true);
    simulation.jobs().reverse().forEach(simulation::create);
    Phase placed = simulation.phase("three jobs created, the largest first");
    simulation.finish(THREE_SLICES);
    Phase shared = simulation.phase(THREE_SLICES + " finished");
    simulation.apply(MANIFESTS.read("53-not-ready-node.yaml"));
    Phase broken = simulation.phase("a node is not ready");
    ImmutableList<Phase> phases = ImmutableList.of(placed, shared, broken);
    TableReport.print(phases, false, out);
    return phases;
  }

  /** {@return the JobSet in the form that a controller would write to the cluster} */
  static JobSet started(Manifests manifests, JobReport report) {
    return JobEditor.of(JobKinds.standard())
        .start(
            report.job().manifest().as(JobSet.class),
            report.job().workload(),
            report.admission().orElseThrow(),
            Maps.uniqueIndex(
                manifests.configuration().stream()
                    .map(ConfigManifest::object)
                    .filter(ResourceFlavor.class::isInstance)
                    .map(ResourceFlavor.class::cast)
                    .iterator(),
                ResourceFlavor::name));
  }
}
