package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import org.junit.jupiter.api.Test;

/**
 * Workloads that differ only in the names of their pod sets, with gate
 * SchedulingEquivalenceHashingIgnorePodSetName; rules R-10 and U-15.
 */
class ShapeVersionTest {
  private static Cluster cluster(Settings.Builder settings) {
    return new Cluster(settings.build()).with(Queues.queue("q", 1));
  }

  private static Settings.Builder version(KueueVersion version) {
    return Settings.builder().kueueVersion(version);
  }

  /** A job of two pod sets with names of its own. */
  private static Workload job(Cluster cluster, String name, int cores) {
    return cluster.jobOf(
        name,
        "q",
        job -> job.addPodSets(podSet(name + "-a", cores), podSet(name + "-b", cores + 1)));
  }

  private static PodSet podSet(String name, int cores) {
    return PodSet.builder().name(name).request("cpu", String.valueOf(cores)).build();
  }

  private static void tryOne(Cluster cluster) {
    cluster.submit(job(cluster, "first", 3));
    cluster.submit(job(cluster, "second", 3));
    cluster.submit(job(cluster, "third", 4));
    cluster.cycle();
  }

  @Test
  void ofEqualJobsWithOtherNamesOneIsTried() {
    Cluster recent = cluster(version(KueueVersion.V0_20));

    tryOne(recent);

    assertThat(recent.inadmissible("q")).containsExactly("first", "second");
  }

  @Test
  void eachIsTriedWhereNamesCount() {
    for (KueueVersion version : new KueueVersion[] {KueueVersion.V0_19, KueueVersion.V0_19_7}) {
      Cluster old = cluster(version(version));

      tryOne(old);

      assertThat(old.inadmissible("q")).containsExactly("first");
    }
  }

  @Test
  void theOrderOfPodSetsCounts() {
    Cluster recent = cluster(version(KueueVersion.V0_20));
    recent.submit(job(recent, "first", 3));
    recent.submit(
        recent.jobOf("turned", "q", job -> job.addPodSets(podSet("x", 4), podSet("y", 3))));

    recent.cycle();

    assertThat(recent.inadmissible("q")).containsExactly("first");
  }

  @Test
  void theGateCanBeTurnedOn() {
    Cluster old = cluster(version(KueueVersion.V0_19_7)
        .putFeatureGates(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING_IGNORE_POD_SET_NAME, true));

    tryOne(old);

    assertThat(old.inadmissible("q")).containsExactly("first", "second");
  }
}
