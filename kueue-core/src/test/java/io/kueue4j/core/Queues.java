package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;

/** Creates the configuration of a {@link Cluster}: queues, cohorts and their quotas in cores. */
final class Queues {
  private Queues() {}

  /** {@return a queue open to all namespaces with cores of the default flavor} */
  static ClusterQueue.Builder queue(String name, int cores) {
    return openQueue(name).addResourceGroups(group(cores(cores)));
  }

  /** {@return a queue of a cohort with cores of the default flavor} */
  static ClusterQueue.Builder queue(String name, String cohort, int cores) {
    return queue(name, cores).cohort(cohort);
  }

  static ClusterQueue.Builder queue(String name, String cohort, ResourceGroup group) {
    return openQueue(name).cohort(cohort).addResourceGroups(group);
  }

  /** {@return a queue open to all namespaces without resource groups} */
  static ClusterQueue.Builder openQueue(String name) {
    return ClusterQueue.builder().name(name).namespaceSelector(LabelSelector.everything());
  }

  static ResourceQuota cores(int cores) {
    return ResourceQuota.of("cpu", String.valueOf(cores));
  }

  /** {@return a group of the default flavor alone} */
  static ResourceGroup group(ResourceQuota... quotas) {
    return ResourceGroup.of(FlavorQuotas.of(Cluster.FLAVOR, quotas));
  }

  static LocalQueue localQueue(String clusterQueue) {
    return localQueue(clusterQueue, StopPolicy.NONE);
  }

  static LocalQueue localQueue(String clusterQueue, StopPolicy stopPolicy) {
    LocalQueue open = LocalQueue.of(Cluster.NAMESPACE, clusterQueue, clusterQueue);
    return LocalQueue.builder()
        .namespace(Cluster.NAMESPACE)
        .name(clusterQueue)
        .clusterQueue(clusterQueue)
        .stopPolicy(stopPolicy)
        .fairSharingWeight(open.fairSharingWeight())
        .build();
  }

  static Cohort cohort(String name, String parent) {
    return Cohort.builder().name(name).parent(parent).build();
  }

  /** {@return queue {@code q} of ten cores that requires admission checks} */
  static ClusterQueue.Builder checkedQueue(String... checks) {
    ClusterQueue.Builder queue = queue("q", 10);
    for (String check : checks) {
      queue.addAllAdmissionChecks(
          ImmutableList.of(new AdmissionCheckRule(check, ImmutableList.of())));
    }
    return queue;
  }

  /** {@return a cluster with a {@linkplain #checkedQueue queue} and its admission checks} */
  static Cluster checkedCluster(String... checks) {
    Cluster cluster = new Cluster().with(checkedQueue(checks));
    for (String check : checks) {
      cluster.with(AdmissionCheck.of(check, "controller"));
    }
    return cluster;
  }
}
