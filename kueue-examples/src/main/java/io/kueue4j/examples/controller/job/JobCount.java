package io.kueue4j.examples.controller.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Multimaps;
import com.google.common.collect.Sets;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.object.FlavorNodes;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.PodCount;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.k8s.job.PodGroup;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Counts what the pods of each admitted job request, whoever has created them, and compares it with
 * the admission.
 */
record JobCount(JobContext context) implements JobStep {
  private static final Comparator<LivePod> OLDEST_FIRST = Comparator.comparing(
      live -> Strings.nullToEmpty(live.pod().getMetadata().getCreationTimestamp()));

  /**
   * {@return what the pods of an admitted job request beyond its admission, in all or of the
   * flavors of some pod sets; empty if nothing} The quota of the other pod sets does not count.
   */
  Optional<String> excess(JobRecord record) {
    return excess(record, live(record));
  }

  /** {@return the same for these pods, of a job that is gone} */
  Optional<String> excess(JobRecord record, List<LivePod> live) {
    ImmutableListMultimap<ImmutableSet<String>, LivePod> pods = byPodSets(record, live);
    ImmutableList<LivePod> misplaced = pods.get(ImmutableSet.of());
    if (!misplaced.isEmpty()) {
      String name = misplaced.get(0).key().name();
      return Optional.of("Its pod " + name + " lacks the node selectors of its flavors");
    }
    return scopes(record, pods)
        .flatMap(
            podSets -> admitted(record, podSets, Map.of())
                .flatMap(count -> count.excess(within(podSets, pods)))
                .stream())
        .findFirst();
  }

  /** {@return the pod sets to compare together: each combination that pods may be of, and all} */
  private static Stream<ImmutableSet<String>> scopes(
      JobRecord record, ImmutableListMultimap<ImmutableSet<String>, LivePod> pods) {
    return Stream.concat(pods.keySet().stream(), Stream.of(podSets(record))).distinct();
  }

  private static ImmutableSet<String> podSets(JobRecord record) {
    return record.workload().stream()
        .flatMap(workload -> workload.podSets().stream())
        .map(PodSet::name)
        .collect(ImmutableSet.toImmutableSet());
  }

  /** {@return the pods that can only be of some pod sets, oldest first} */
  private static ImmutableList<LivePod> within(
      ImmutableSet<String> podSets, ImmutableListMultimap<ImmutableSet<String>, LivePod> pods) {
    return ImmutableList.sortedCopyOf(
        OLDEST_FIRST,
        Multimaps.filterKeys(pods, key -> !key.isEmpty() && podSets.containsAll(key))
            .values());
  }

  /** {@return what some pod sets of a job were admitted for} */
  private Optional<PodCount> admitted(
      JobRecord record, ImmutableSet<String> podSets, Map<String, Integer> reclaimed) {
    return admitted(
        record,
        Maps.asMap(
            podSets(record),
            name -> podSets.contains(name) ? reclaimed.getOrDefault(name, 0) : Integer.MAX_VALUE));
  }

  /** {@return pods by the pod sets that they may be of} */
  private ImmutableListMultimap<ImmutableSet<String>, LivePod> byPodSets(
      JobRecord record, List<LivePod> live) {
    return context
        .admission(record)
        .map(admission -> FlavorNodes.of(admission, configuration().flavors()))
        .map(nodes -> Multimaps.index(live, each -> nodes.podSets(each.pod())))
        .orElse(ImmutableListMultimap.of());
  }

  /**
   * {@return what the pods of an admitted job request beyond the quota that it has not given back
   * yet; empty if nothing} The status of a job may be known before the end of its pods is.
   */
  Optional<String> excessOfHeld(JobRecord record) {
    return admitted(record, reclaimed(record)).flatMap(count -> count.excess(live(record)));
  }

  /** {@return the waiting pods of an admitted group that fit into the quota that it holds} */
  List<LivePod> toStart(JobRecord record) {
    return admitted(record, reclaimed(record)).stream()
        .flatMap(count -> count.fitting(running(record), waiting(record)).stream())
        .toList();
  }

  /**
   * {@return the waiting pods of an admitted group that are larger than any that was admitted; the
   * pods of a service are handled by its controller}
   */
  List<LivePod> tooLarge(JobRecord record) {
    boolean isServing = record.job() instanceof PodGroup group && group.isServing();
    return admitted(record, Map.of()).stream()
        .filter(unused -> !isServing)
        .flatMap(count -> waiting(record).stream().filter(live -> !count.isOfSomePodSet(live)))
        .toList();
  }

  private List<LivePod> waiting(JobRecord record) {
    return JobParts.startable(record.job()).stream()
        .filter(part -> reader().waits(part))
        .flatMap(part -> pods().find(ObjectKey.of(part)).stream())
        .toList();
  }

  /**
   * {@return the pods of an admitted group that run and do not fit into the quota that it holds, in
   * all or of the flavors of some pod sets}
   */
  List<LivePod> beyond(JobRecord record) {
    List<LivePod> live = live(record);
    ImmutableListMultimap<ImmutableSet<String>, LivePod> pods = byPodSets(record, live);
    Set<LivePod> beyond = Sets.newIdentityHashSet();
    beyond.addAll(pods.get(ImmutableSet.of()));
    scopes(record, pods).forEach(podSets -> {
      List<LivePod> placed =
          within(podSets, pods).stream().filter(pod -> !beyond.contains(pod)).toList();
      Set<LivePod> fitting = Sets.newIdentityHashSet();
      admitted(record, podSets, reclaimed(record))
          .ifPresent(count -> fitting.addAll(count.fitting(ImmutableList.of(), placed)));
      placed.stream().filter(pod -> !fitting.contains(pod)).forEach(beyond::add);
    });
    return live.stream().filter(beyond::contains).toList();
  }

  private Optional<PodCount> admitted(JobRecord record, Map<String, Integer> reclaimed) {
    return context.admission(record).map(held -> {
      Optional<ClusterQueue> queue = configuration().clusterQueue(held.clusterQueue());
      return PodCount.of(record.workload().orElseThrow(), held, reclaimed, queue);
    });
  }

  private Map<String, Integer> reclaimed(JobRecord record) {
    Workload workload = record.workload().orElseThrow();
    Map<String, Integer> reclaimed = new HashMap<>(book().reclaimablePods(workload.id()));
    if (JobParts.isGroup(record.job())) {
      reader()
          .reclaimablePods(record.job(), workload)
          .forEach((podSet, count) -> reclaimed.merge(podSet, count, Math::max));
    }
    return reclaimed;
  }

  /** {@return the pods that run, also while they are being deleted, oldest first} */
  List<LivePod> running(JobRecord record) {
    boolean isGroup = JobParts.isGroup(record.job());
    return pods().of(record).stream()
        .filter(live -> isGroup ? !reader().waits(live.pod()) : !live.isGated())
        .sorted(OLDEST_FIRST)
        .toList();
  }

  /** A pod that is being deleted may have a replacement already. */
  private List<LivePod> live(JobRecord record) {
    return running(record).stream()
        .filter(each -> !JobParts.isDeleted(each.pod()))
        .toList();
  }
}
