package io.kueue4j.examples.controller.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Multimaps;
import com.google.common.collect.Sets;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Admission;
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
import java.util.Map;
import java.util.Optional;
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
    ImmutableListMultimap<ImmutableSet<String>, LivePod> running = byPodSets(record);
    ImmutableSet<String> all = record.workload().stream()
        .flatMap(workload -> workload.podSets().stream())
        .map(PodSet::name)
        .collect(ImmutableSet.toImmutableSet());
    return running.get(ImmutableSet.of()).stream()
        .findFirst()
        .map(pod -> "Its pod " + pod.key().name() + " lacks the node selectors of its flavors")
        .or(() -> Stream.concat(Stream.of(all), running.keySet().stream())
            .distinct()
            .flatMap(podSets -> admitted(
                record, Maps.asMap(Sets.difference(all, podSets), unused -> Integer.MAX_VALUE))
                .flatMap(count -> count.excess(
                    Multimaps.filterKeys(running, podSets::containsAll).values()))
                .stream())
            .findFirst());
  }

  /** {@return the pods that run, by the pod sets that they may be of} */
  private ImmutableListMultimap<ImmutableSet<String>, LivePod> byPodSets(JobRecord record) {
    return record
        .id()
        .flatMap(book()::admission)
        .map(admission -> FlavorNodes.of(admission, configuration().flavors()))
        .map(nodes -> Multimaps.index(live(record), live -> nodes.podSets(live.pod())))
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
  ImmutableList<Pod> toStart(JobRecord record) {
    return admitted(record, reclaimed(record))
        .map(count -> pods(count.fitting(started(record), waiting(record)).stream()))
        .orElse(ImmutableList.of());
  }

  /**
   * {@return the waiting pods of an admitted group that are larger than any that was admitted; the
   * pods of a service are handled by its controller}
   */
  ImmutableList<Pod> tooLarge(JobRecord record) {
    return record.job() instanceof PodGroup group && group.isServing()
        ? ImmutableList.of()
        : admitted(record, ImmutableMap.of())
            .map(
                count -> pods(waiting(record).stream().filter(live -> !count.isOfSomePodSet(live))))
            .orElse(ImmutableList.of());
  }

  private ImmutableList<LivePod> waiting(JobRecord record) {
    return JobParts.startable(record.job()).stream()
        .filter(part -> reader().waits(part))
        .flatMap(part -> pods().find(ObjectKey.of(part)).stream())
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * {@return the pods of an admitted group that run and do not fit into the quota that it holds}
   */
  ImmutableList<Pod> beyond(JobRecord record) {
    ImmutableList<LivePod> running = live(record);
    ImmutableList<LivePod> misplaced = byPodSets(record).get(ImmutableSet.of());
    return admitted(record, reclaimed(record))
        .map(count -> count.fitting(
            ImmutableList.of(),
            running.stream().filter(live -> !misplaced.contains(live)).toList()))
        .map(fitting -> pods(running.stream().filter(live -> !fitting.contains(live))))
        .orElse(ImmutableList.of());
  }

  private static ImmutableList<Pod> pods(Stream<LivePod> live) {
    return live.map(LivePod::pod).collect(ImmutableList.toImmutableList());
  }

  private Optional<PodCount> admitted(JobRecord record, Map<String, Integer> reclaimed) {
    Optional<Workload> workload = record.workload();
    Optional<Admission> admission = workload.flatMap(found -> book().admission(found.id()));
    return admission.map(held -> PodCount.of(
        workload.orElseThrow(),
        held,
        reclaimed,
        configuration().clusterQueue(held.clusterQueue())));
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

  /** {@return the pods that were started and have not ended, oldest first} */
  private ImmutableList<LivePod> started(JobRecord record) {
    boolean isGroup = JobParts.isGroup(record.job());
    return pods().of(record).stream()
        .filter(live -> isGroup ? !reader().waits(live.pod()) : !live.isGated())
        .sorted(OLDEST_FIRST)
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the pods of a job that run, also while they are being deleted, oldest first} */
  ImmutableList<Pod> running(JobRecord record) {
    return pods(started(record).stream());
  }

  /** A pod that is being deleted may have a replacement already. */
  private ImmutableList<LivePod> live(JobRecord record) {
    return started(record).stream()
        .filter(live -> !JobParts.isDeleted(live.pod()))
        .collect(ImmutableList.toImmutableList());
  }
}
