package io.kueue4j.examples.tutorial;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.cli.TableReport;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.simulation.SimulatedJob;
import java.io.PrintWriter;

/**
 * Two teams share ten GPUs.
 *
 * <p>Their jobs have three pods with one GPU each, so three jobs run at a time; the fourth waits
 * for GPUs, although enough cpu and memory is free, and starts when the first has finished.
 */
public final class GkeBatchJobs {
  private static final TutorialManifests MANIFESTS = new TutorialManifests("000-gke-batch-jobs");

  private GkeBatchJobs() {}

  /** Prints the tutorial. */
  public static void main(String... arguments) {
    play(TutorialManifests.standardOutput());
  }

  /** {@return the queues with four jobs, and after the first has finished} */
  static ImmutableList<Phase> play(PrintWriter out) {
    ManifestPlayer simulation = ManifestPlayer.of(MANIFESTS.read(
        "00-namespaces.yaml",
        "10-flavors.yaml",
        "20-cluster-queue.yaml",
        "30-local-queues.yaml",
        "40-job-team-a.yaml",
        "41-job-team-b.stand-in.yaml",
        "40-job-team-a.yaml",
        "41-job-team-b.stand-in.yaml"));
    ImmutableList<SimulatedJob> jobs = simulation.jobs();
    jobs.forEach(simulation::create);
    Phase full = simulation.phase("four jobs created");
    simulation.finish(jobs.get(0).name());
    Phase after = simulation.phase(jobs.get(0).name() + " finished");
    ImmutableList<Phase> phases = ImmutableList.of(full, after);
    TableReport.print(phases, false, out);
    return phases;
  }
}
