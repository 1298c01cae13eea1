package io.kueue4j.examples.tutorial;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.cli.TableReport;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.Phase;
import java.io.PrintWriter;

/**
 * The first version of Kueue: manifests of v1alpha1, in which a LocalQueue was called Queue and
 * quotas had a minimum.
 *
 * <p>Nine CPUs, jobs of three; three run at once and a fourth waits.
 */
public final class FirstSlides {
  private static final TutorialManifests MANIFESTS = new TutorialManifests("003-kueue-v010-slides");

  private FirstSlides() {}

  /** Prints the tutorial. */
  public static void main(String... arguments) {
    play(TutorialManifests.standardOutput());
  }

  /** {@return the queue with four jobs} */
  static Phase play(PrintWriter out) {
    ManifestPlayer simulation = ManifestPlayer.of(MANIFESTS.read(
        "10-settings.yaml", "20-job.yaml", "20-job.yaml", "20-job.yaml", "20-job.yaml"));
    simulation.jobs().forEach(simulation::create);
    Phase phase = simulation.phase("four jobs created");
    TableReport.print(ImmutableList.of(phase), false, out);
    return phase;
  }
}
