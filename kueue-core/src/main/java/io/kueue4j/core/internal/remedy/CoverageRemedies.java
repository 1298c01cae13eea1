package io.kueue4j.core.internal.remedy;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.internal.remedy.RemedyTrials.Trial;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds changes that add missing configuration: quota for resources that a ClusterQueue does not
 * cover, or the ClusterQueue itself.
 *
 * @param trials tries changes
 * @param now the trial without a change
 */
record CoverageRemedies(RemedyTrials trials, Trial now) {
  /** The maximum number of flavors to try. */
  private static final int MAX_FLAVORS = 16;

  /** {@return the smallest quota for the resources that the ClusterQueue does not cover} */
  Stream<Remedy> coverage() {
    return isReason(ReasonCode.RESOURCE_NOT_COVERED)
        ? now.clusterQueue().stream().flatMap(this::covering)
        : Stream.of();
  }

  private boolean isReason(ReasonCode code) {
    return now.reasons().stream().anyMatch(reason -> reason.code() == code);
  }

  /** Extends each group in turn by the uncovered resources; adds a group if there is none. */
  private Stream<Remedy> covering(ClusterQueue queue) {
    ImmutableSet<String> covered = queue.resourceGroups().stream()
        .flatMap(group -> group.coveredResources().stream())
        .collect(ImmutableSet.toImmutableSet());
    ImmutableList<String> more =
        requested().filter(resource -> !covered.contains(resource)).collect(toImmutableList());
    Stream<ImmutableList<ResourceGroup>> alternatives = queue.resourceGroups().isEmpty()
        ? flavors().map(flavor -> ImmutableList.of(group(flavor, more)))
        : Stream.iterate(0, i -> i < queue.resourceGroups().size(), i -> i + 1)
            .map(i -> extended(queue.resourceGroups(), i, more));
    return alternatives
        .map(groups -> ClusterQueue.builder().from(queue).resourceGroups(groups).build())
        .flatMap(wider -> grow(Remedy.Kind.COVER_RESOURCES, wider, " has quota for " + more + ": "))
        .limit(1);
  }

  private static ImmutableList<ResourceGroup> extended(
      List<ResourceGroup> groups, int index, ImmutableList<String> more) {
    List<ResourceGroup> changed = new ArrayList<>(groups);
    changed.set(index, extended(groups.get(index), more));
    return ImmutableList.copyOf(changed);
  }

  private static ResourceGroup extended(ResourceGroup group, ImmutableList<String> more) {
    return new ResourceGroup(
        ImmutableList.copyOf(Iterables.concat(group.coveredResources(), more)),
        group.flavors().stream()
            .map(flavor -> new FlavorQuotas(
                flavor.flavor(),
                ImmutableList.copyOf(Iterables.concat(flavor.resources(), withoutQuota(more)))))
            .collect(toImmutableList()));
  }

  private static ImmutableList<ResourceQuota> withoutQuota(ImmutableList<String> resources) {
    return resources.stream()
        .map(resource -> ResourceQuota.ofAmount(resource, 0))
        .collect(toImmutableList());
  }

  private static ResourceGroup group(String flavor, ImmutableList<String> resources) {
    return new ResourceGroup(
        resources, ImmutableList.of(new FlavorQuotas(flavor, withoutQuota(resources))));
  }

  /** {@return the missing ClusterQueue of the LocalQueue, with the minimum quota} */
  Stream<Remedy> creation() {
    if (!isReason(ReasonCode.CLUSTER_QUEUE_NOT_FOUND)) {
      return Stream.of();
    }
    ImmutableList<String> resources = requested().collect(toImmutableList());
    Optional<String> name = now.inspect(state -> state
        .configuration()
        .localQueue(state.require(trials.id()).localQueueKey())
        .map(LocalQueue::clusterQueue));
    return name.stream()
        .flatMap(queue -> flavors()
            .map(flavor -> ClusterQueue.builder()
                .name(queue)
                .namespaceSelector(LabelSelector.everything())
                .addResourceGroups(group(flavor, resources))
                .build()))
        .flatMap(queue -> grow(Remedy.Kind.CREATE_CLUSTER_QUEUE, queue, " exists, with quota for "))
        .limit(1);
  }

  private Stream<Remedy> grow(Remedy.Kind kind, ClusterQueue queue, String what) {
    return new QuotaGrowth(trials, new QuotaRaise(kind, queue, what), shortage -> true)
        .grow(queue.resourceGroups().get(0).flavors().get(0).flavor()).stream();
  }

  private Stream<String> requested() {
    return trials.workload().podSets().stream()
        .flatMap(podSet -> podSet.requests().keySet().stream())
        .distinct()
        .sorted();
  }

  private Stream<String> flavors() {
    return now.inspect(state -> state.configuration().flavors().all()).stream()
        .map(ResourceFlavor::name)
        .limit(MAX_FLAVORS);
  }
}
