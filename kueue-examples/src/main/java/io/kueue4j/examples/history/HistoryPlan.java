package io.kueue4j.examples.history;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.base.Joiner;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Sets;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationJob.Checkpoints;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.QuotaGroups;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The jobs of a history in the queues of a configuration.
 *
 * @param configuration the configuration, with the LocalQueues that the jobs need
 * @param jobs the jobs, in the order of the history
 */
public record HistoryPlan(List<ConfigObject> configuration, ImmutableList<SimulationJob> jobs) {
  private static final String NAMESPACE = "default";

  /**
   * {@return the plan for a history}
   *
   * @param history the history
   * @param given the configuration; empty for the one of the history, or one by its size
   * @param mapping the queues of jobs
   * @throws InputException if there is no queue for a job
   */
  public static HistoryPlan of(History history, List<ConfigObject> given, QueueMapping mapping) {
    if (!given.isEmpty()) {
      return new Planner(history, given, mapping, job -> Optional.empty()).plan();
    }
    if (!history.machine().configuration().isEmpty()) {
      return new Planner(
              history, history.machine().configuration(), mapping, job -> Optional.empty())
          .plan();
    }
    DefaultQueues.Result queues = DefaultQueues.of(history, mapping);
    return new Planner(history, queues.objects(), mapping, queues::clusterQueue).plan();
  }

  /**
   * {@return the resources that jobs request and no ClusterQueue or cohort has quota for, with the
   * number of these jobs}
   */
  public SortedMap<String, Integer> withoutQuota() {
    Set<String> covered = configuration.stream()
        .flatMap(QuotaGroups::of)
        .flatMap(group -> group.coveredResources().stream())
        .collect(toImmutableSet());
    // Jobs of one size share their pod sets, as a rule.
    Set<PodSet> podSets = Sets.newIdentityHashSet();
    for (SimulationJob job : jobs) {
      podSets.addAll(job.workload().podSets());
    }
    if (podSets.stream().allMatch(pods -> without(covered, pods).findAny().isEmpty())) {
      return ImmutableSortedMap.of();
    }
    Map<String, Integer> missing = new TreeMap<>();
    for (SimulationJob job : jobs) {
      job.workload().podSets().stream()
          .flatMap(pods -> without(covered, pods))
          .distinct()
          .forEach(resource -> missing.merge(resource, 1, Integer::sum));
    }
    return ImmutableSortedMap.copyOf(missing);
  }

  /** {@return the resources that pods request and that are not covered} */
  private static Stream<String> without(Set<String> covered, PodSet pods) {
    return pods.requests().entrySet().stream()
        .filter(request -> request.getValue() > 0 && !covered.contains(request.getKey()))
        .map(Map.Entry::getKey);
  }

  /** The queue and the priority of jobs. */
  private record Target(String namespace, String localQueue, OptionalInt priority) {}

  private interface ClusterQueueOf {
    Optional<String> get(Labels job);
  }

  private static final class Planner {
    private final History history;
    private final QueueMapping mapping;
    private final ClusterQueueOf byDefault;
    private final List<ConfigObject> given;
    private final ImmutableSet<String> clusterQueues;

    /** The ClusterQueues of the LocalQueues that exist. */
    private final Map<String, String> localQueues = new HashMap<>();

    /** The namespaces of jobs, if some follow others. */
    private final Map<String, String> namespaces = new HashMap<>();

    private final Map<Labels, Optional<Target>> targets = new HashMap<>();
    private final Function<Labels, Optional<Target>> newTarget = this::target;
    private final List<LocalQueue> created = new ArrayList<>();
    private final Map<String, Integer> unmapped = new LinkedHashMap<>();

    Planner(
        History history, List<ConfigObject> given, QueueMapping mapping, ClusterQueueOf byDefault) {
      this.history = history;
      this.given = given;
      this.mapping = mapping;
      this.byDefault = byDefault;
      this.clusterQueues = given.stream()
          .filter(ClusterQueue.class::isInstance)
          .map(ConfigObject::qualifiedName)
          .collect(toImmutableSet());
      for (ConfigObject object : given) {
        if (object instanceof LocalQueue queue) {
          localQueues.put(queue.qualifiedName(), queue.clusterQueue());
        }
      }
    }

    HistoryPlan plan() {
      List<Optional<Target>> targetsOfJobs = new ArrayList<>(history.jobs().size());
      boolean mayFollow = false;
      for (HistoryJob job : history.jobs()) {
        Optional<Target> target = targets.computeIfAbsent(deciding(job.labels()), newTarget);
        if (target.isEmpty()) {
          unmapped.merge(described(job.labels()), 1, Integer::sum);
        }
        targetsOfJobs.add(target);
        mayFollow |= !job.after().isEmpty();
      }
      if (clusterQueues.isEmpty()) {
        throw new InputException(
            "the configuration has no ClusterQueue; expected at least one, for the jobs of "
                + history.source());
      }
      if (!unmapped.isEmpty()) {
        throw new InputException(Joiner.on('\n')
            .join(unmapped.entrySet().stream()
                .map(labels -> history.source() + ": no queue for " + labels.getValue()
                    + (labels.getValue() == 1 ? " job" : " jobs") + " of " + labels.getKey()
                    + "; add a rule to the file of --map")
                .iterator()));
      }
      if (mayFollow) {
        for (int i = 0; i < targetsOfJobs.size(); i++) {
          String namespace = targetsOfJobs.get(i).orElseThrow().namespace();
          namespaces.put(history.jobs().get(i).name(), namespace);
        }
      }
      return new HistoryPlan(
          ImmutableList.<ConfigObject>builder().addAll(given).addAll(created).build(),
          jobs(targetsOfJobs));
    }

    /** {@return the jobs, each with its target} */
    private ImmutableList<SimulationJob> jobs(List<Optional<Target>> targetsOfJobs) {
      return IntStream.range(0, targetsOfJobs.size())
          .parallel()
          .mapToObj(i -> job(i, history.jobs().get(i), targetsOfJobs.get(i).orElseThrow()))
          .collect(toImmutableList());
    }

    /**
     * {@return the labels that decide on the target: without rules, who submits does not matter}
     */
    private Labels deciding(Labels job) {
      return mapping.rules().isEmpty() ? new Labels("", "", job.queue(), job.partition()) : job;
    }

    private static String described(Labels job) {
      return "user '" + job.user() + "', group '" + job.group() + "', queue '" + job.queue()
          + "', partition '" + job.partition() + "'";
    }

    private Optional<Target> target(Labels job) {
      Optional<QueueMapping.Rule> rule = mapping.rule(job);
      if (rule.isPresent()) {
        return Optional.of(target(rule.get()));
      }
      String queue = history.machine().queues().getOrDefault(job.queue(), job.queue());
      String partition =
          history.machine().partitions().getOrDefault(job.partition(), job.partition());
      for (String name : ImmutableSet.of(queue, NAMESPACE + "/" + queue)) {
        if (localQueues.containsKey(name)) {
          return Optional.of(existing(name, OptionalInt.empty()));
        }
      }
      return byDefault
          .get(job)
          .or(() -> List.of(job.queue(), queue, job.partition(), partition).stream()
              .filter(clusterQueues::contains)
              .findFirst())
          .or(() ->
              clusterQueues.stream().filter(name -> clusterQueues.size() == 1).findFirst())
          .map(name -> into(name, OptionalInt.empty()));
    }

    private Target target(QueueMapping.Rule rule) {
      if (rule.localQueue().isEmpty()) {
        return into(rule.clusterQueue().orElseThrow(), rule.priority());
      }
      String name = rule.localQueue().get();
      if (!localQueues.containsKey(name)) {
        throw new InputException("--map names the LocalQueue " + name
            + ", which does not exist; add it to the configuration, or name a ClusterQueue");
      }
      return existing(name, rule.priority());
    }

    private static Target existing(String qualified, OptionalInt priority) {
      int slash = qualified.indexOf('/');
      return new Target(qualified.substring(0, slash), qualified.substring(slash + 1), priority);
    }

    /** {@return a LocalQueue of a ClusterQueue, which is created unless it exists} */
    private Target into(String clusterQueue, OptionalInt priority) {
      if (!clusterQueues.contains(clusterQueue)) {
        throw new InputException("--map names the ClusterQueue " + clusterQueue
            + ", which does not exist; there are " + Joiner.on(", ").join(clusterQueues));
      }
      String name = clusterQueue;
      while (!clusterQueue.equals(localQueues.getOrDefault(NAMESPACE + "/" + name, clusterQueue))) {
        name += "-history";
      }
      if (localQueues.put(NAMESPACE + "/" + name, clusterQueue) == null) {
        created.add(LocalQueue.of(NAMESPACE, name, clusterQueue));
      }
      return new Target(NAMESPACE, name, priority);
    }

    private SimulationJob job(int index, HistoryJob job, Target target) {
      Instant submit = history.start().plusMillis(job.times().submit());
      Workload workload = Workload.builder()
          .namespace(target.namespace())
          .name(job.name())
          .uid(uid(index, submit))
          .queueName(target.localQueue())
          .priority(target.priority().orElse(job.priority()))
          .creationTime(job.created().orElse(submit))
          .addAllPodSets(job.podSets())
          .checkpointInterval(job.checkpoints().map(Checkpoints::interval))
          .build();
      SimulationJob.Builder built = SimulationJob.builder()
          .workload(workload)
          .submitTime(submit)
          .duration(Duration.ofMillis(job.times().run()))
          .checkpoints(job.checkpoints())
          .thinkTime(Duration.ofMillis(job.times().think()))
          .user(known(job.labels().user()))
          .group(known(job.labels().group()));
      if (job.times().isCancelled()) {
        built.cancelAfter(Duration.ofMillis(job.times().cancel()));
      }
      if (job.times().estimate() >= 0) {
        built.estimate(Duration.ofMillis(job.times().estimate()));
      }
      for (String before : job.after()) {
        built.addAfter(WorkloadId.of(namespaces.getOrDefault(before, NAMESPACE), before));
      }
      return built.build();
    }

    /**
     * {@return a uid that orders the jobs of one second by their submission, then by their place in
     * the history}
     *
     * <p>Queues compare whole seconds, then uids.
     */
    private static String uid(int index, Instant submit) {
      String millis = Integer.toString(Math.floorMod(submit.toEpochMilli(), 1000));
      return Strings.padStart(millis, 3, '0') + Strings.padStart(Integer.toString(index), 10, '0');
    }

    private static Optional<String> known(String text) {
      return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
  }
}
