package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import java.util.List;

/**
 * A {@link Cluster} with a queue {@code q} whose workloads try several flavors concurrently.
 *
 * <p>The queue has four cores of each flavor, the best first, and lends them to queue {@code low},
 * which has no quota of its own.
 */
final class ConcurrentFlavors {
  static final ConcurrentAdmissionPolicy TRY_PREFERRED =
      ConcurrentAdmissionPolicy.of(ConcurrentAdmissionPolicy.Mode.TRY_PREFERRED_FLAVORS);
  static final ConcurrentAdmissionPolicy RETAIN_FIRST =
      ConcurrentAdmissionPolicy.of(ConcurrentAdmissionPolicy.Mode.RETAIN_FIRST_ADMISSION);
  static final Preemption RECLAIM = Preemption.builder()
      .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
      .reclaimWithinCohort(Preemption.Policy.ANY)
      .build();
  static final ImmutableList<String> FLAVORS = ImmutableList.of("reservation", "on-demand", "spot");

  private ConcurrentFlavors() {}

  static Cluster cluster(ConcurrentAdmissionPolicy policy) {
    return cluster(settings().build(), queue(policy));
  }

  /** {@return a cluster whose queue can reclaim what it has lent} */
  static Cluster reclaiming(ConcurrentAdmissionPolicy policy) {
    return cluster(settings().build(), queue(policy).preemption(RECLAIM));
  }

  static Cluster cluster(Settings settings, ClusterQueue.Builder queue) {
    Cluster cluster = new Cluster(settings);
    FLAVORS.forEach(flavor -> cluster.with(ResourceFlavor.of(flavor)));
    return cluster.with(
        queue, Queues.openQueue("low").cohort("c").addResourceGroups(group(0, FLAVORS)));
  }

  static Settings.Builder settings() {
    return Settings.builder().putFeatureGates(FeatureGate.CONCURRENT_ADMISSION, true);
  }

  static ClusterQueue.Builder queue(ConcurrentAdmissionPolicy policy) {
    return queue(policy, FLAVORS);
  }

  static ClusterQueue.Builder queue(ConcurrentAdmissionPolicy policy, List<String> flavors) {
    return Queues.openQueue("q")
        .cohort("c")
        .concurrentAdmissionPolicy(policy)
        .addResourceGroups(group(4, flavors));
  }

  static ResourceGroup group(int cores, List<String> flavors) {
    return ResourceGroup.of(flavors.stream()
        .map(flavor -> FlavorQuotas.of(flavor, Queues.cores(cores)))
        .toArray(FlavorQuotas[]::new));
  }
}
