package io.kueue4j.examples.tutorial;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.examples.cli.TableReport;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.k8s.Manifests;
import java.io.PrintWriter;

/**
 * Small jobs overtake a large one, or do not.
 *
 * <p>Six CPUs; a job of team-a needs three of them, one of team-b all six. With BestEffortFIFO the
 * second job of team-a starts although team-b's job was created before it and waits; with
 * StrictFIFO it waits, too.
 */
public final class KueueOnGke {
  private static final TutorialManifests MANIFESTS = new TutorialManifests("002-kueue-v080-gke");

  private KueueOnGke() {}

  /** Prints the tutorial. */
  public static void main(String... arguments) {
    PrintWriter out = TutorialManifests.standardOutput();
    for (QueueingStrategy strategy : QueueingStrategy.values()) {
      out.println("With " + strategy + ":");
      play(strategy, out);
      out.println();
    }
  }

  /** {@return the queue with a job of team-a, one of team-b and another of team-a} */
  static Phase play(QueueingStrategy strategy, PrintWriter out) {
    Manifests manifests = MANIFESTS.read(
        text -> text.replace(QueueingStrategy.BEST_EFFORT_FIFO.toString(), strategy.toString()),
        "00-namespaces.yaml",
        "10-resource-flavor.yaml",
        "20-cluster-queue.yaml",
        "30-local-queues.yaml",
        "40-job-team-a.yaml",
        "41-job-team-b.yaml",
        "40-job-team-a.yaml");
    ManifestPlayer simulation = ManifestPlayer.of(manifests);
    simulation.jobs().forEach(simulation::create);
    Phase phase = simulation.phase("three jobs created");
    TableReport.print(ImmutableList.of(phase), false, out);
    return phase;
  }
}
