package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Sets;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import io.kueue4j.core.testkit.StepOutcome.Answered;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks the positions of workloads against the harness's own books. */
final class BookChecks {
  private BookChecks() {}

  static List<String> refusedChangesNothing(Moment moment) {
    List<String> wrong = new ArrayList<>();
    boolean isRefused = moment.played().outcome().isRefused();
    if (isRefused && !moment.played().after().equals(moment.seenBefore())) {
      wrong.add("a refused step changed " + moment.seenBefore() + " to "
          + moment.played().after());
    }
    if (!isRefused) {
      loop(moment.after()).ifPresent(name -> wrong.add("cohort " + name + " is below itself"));
    }
    return wrong;
  }

  private static Optional<String> loop(Ledger books) {
    Map<String, String> parents = new HashMap<>();
    for (Cohort cohort : books.cohorts()) {
      cohort.parent().ifPresent(parent -> parents.put(cohort.name(), parent));
    }
    return books.cohorts().stream()
        .map(Cohort::name)
        .filter(name -> {
          String above = parents.get(name);
          for (int i = 0; i < parents.size() && above != null && !above.equals(name); i++) {
            above = parents.get(above);
          }
          return name.equals(above);
        })
        .findFirst();
  }

  // ----- evictions

  static List<String> evictionsAddUp(Moment moment) {
    List<String> wrong = new ArrayList<>();
    Set<WorkloadId> evicted = new TreeSet<>(moment.before().stopping());
    boolean isCycle = moment.played().step() instanceof Step.Cycle;
    for (ObservedPreemption eviction : moment.played().evictions()) {
      if (!evicted.add(eviction.victim()) && isCycle) {
        wrong.add(eviction.victim() + " was evicted twice");
      }
      if (!moment.before().holdsQuota(eviction.victim())) {
        wrong.add(eviction.victim() + " was evicted and holds nothing");
      }
    }
    for (WorkloadId stopped : moment.played().stopped()) {
      if (!moment.before().holdsQuota(stopped) || moment.before().stopping().contains(stopped)) {
        wrong.add(stopped + " was evicted for its nodes and does not run");
      }
    }
    Set<WorkloadId> shown = new TreeSet<>();
    moment.played().after().clusterQueues().values().forEach(queue -> {
      shown.addAll(queue.stopping());
      if (!queue.holding().containsAll(queue.stopping())) {
        wrong.add("of those stopping, " + queue.stopping() + ", only " + queue.holding() + " hold");
      }
    });
    if (!shown.equals(moment.after().stopping())) {
      wrong.add(shown + " are stopping, outstanding are " + moment.after().stopping());
    }
    return wrong;
  }

  // ----- places

  static List<String> inOnePlace(Moment moment) {
    List<String> wrong = new ArrayList<>(answers(moment));
    Ledger books = moment.after();
    Map<String, Set<WorkloadId>> holding = new TreeMap<>();
    Map<String, Set<WorkloadId>> waiting = new TreeMap<>();
    for (ClusterQueue queue : books.queues()) {
      holding.put(queue.name(), new TreeSet<>());
      waiting.put(queue.name(), new TreeSet<>());
    }
    for (Workload workload : books.workloads()) {
      Admission admission = books.admissions().get(workload.id());
      if (admission != null) {
        holding
            .computeIfAbsent(admission.clusterQueue(), name -> new TreeSet<>())
            .add(workload.id());
      } else if (mayWait(books, workload)) {
        books
            .queueOf(workload)
            .ifPresent(queue ->
                waiting.computeIfAbsent(queue.name(), name -> new TreeSet<>()).add(workload.id()));
      }
    }
    moment.played().after().clusterQueues().forEach((name, queue) -> {
      expect("hold quota of ClusterQueue " + name, queue.holding(), holding.remove(name), wrong);
      ImmutableList<WorkloadId> shown = ImmutableList.<WorkloadId>builder()
          .addAll(queue.pending())
          .addAll(queue.inadmissible())
          .build();
      expect("wait in ClusterQueue " + name, shown, waiting.remove(name), wrong);
      if (Set.copyOf(shown).size() < shown.size()) {
        wrong.add("ClusterQueue " + name + " shows a pending workload twice: " + shown);
      }
    });
    if (!holding.isEmpty()) {
      wrong.add("ClusterQueues " + holding.keySet() + " are not shown");
    }
    return wrong;
  }

  private static void expect(
      String what,
      Collection<WorkloadId> shown,
      @Nullable Set<WorkloadId> expected,
      List<String> wrong) {
    Set<WorkloadId> wanted = expected == null ? Set.of() : expected;
    Set<WorkloadId> seen = ImmutableSortedSet.copyOf(shown);
    if (!seen.equals(wanted)) {
      wrong.add("those who " + what + " lack " + Sets.difference(wanted, seen)
          + " and have too many " + Sets.difference(seen, wanted));
    }
  }

  /** {@return whether a workload whose LocalQueue exists may be in a queue} */
  static boolean mayWait(Ledger books, Workload workload) {
    boolean isGated = books.isEnabled(FeatureGate.ADMISSION_GATED_BY)
        && !workload.admissionGates().isEmpty();
    boolean isOpen = books.localQueues().stream()
        .filter(queue -> isOf(queue, workload))
        .allMatch(queue -> queue.stopPolicy() == StopPolicy.NONE);
    boolean isStopping = books.deactivated().contains(workload.id());
    return workload.active() && !isStopping && !isGated && isOpen;
  }

  private static boolean isOf(LocalQueue queue, Workload workload) {
    return queue.namespace().equals(workload.namespace())
        && queue.name().equals(workload.queueName());
  }

  /** Calls about workloads return whether they had an effect. */
  private static List<String> answers(Moment moment) {
    if (!(moment.played().step() instanceof Step.Tell tell)
        || !(moment.played().outcome() instanceof Answered answered)) {
      return List.of();
    }
    Ledger before = moment.before();
    boolean expected = switch (tell.event()) {
      case FINISHED, DELETED -> before.workload(tell.workload()).isPresent();
      case RELEASED, ADMISSION_RECORDED -> before.holdsQuota(tell.workload());
      case PODS_STOPPED ->
        before.stopping().contains(tell.workload())
            || before.deactivated().contains(tell.workload());
    };
    return answered.yes() == expected
        ? List.of()
        : List.of("after the report that " + tell.workload() + " was " + tell.event()
            + ", the answer was " + answered.yes());
  }

  // ----- order

  static List<String> strictOrder(Moment moment) {
    if (!(moment.played().step() instanceof Step.Cycle)) {
      return List.of();
    }
    List<String> wrong = new ArrayList<>();
    for (Admission admission : moment.admitted()) {
      QueueObservation queue = moment.seenBefore().clusterQueues().get(admission.clusterQueue());
      boolean isStrict = moment
          .before()
          .queue(admission.clusterQueue())
          .map(spec -> spec.queueingStrategy() == QueueingStrategy.STRICT_FIFO
              && !moment.before().hasNewStrategy(spec.name()))
          .orElse(false);
      if (isStrict && queue != null) {
        first(moment.before(), queue, admission.workload())
            .ifPresent(first -> wrong.add(admission.workload() + " was admitted before " + first));
      }
    }
    return wrong;
  }

  /**
   * {@return the workload of the same namespace that should have been admitted before {@code id}}
   */
  private static Optional<WorkloadId> first(Ledger books, QueueObservation queue, WorkloadId id) {
    Optional<Workload> admitted = books.workload(id);
    if (admitted.isEmpty()) {
      return Optional.empty();
    }
    if (queue.pending().indexOf(id) > 0) {
      return Optional.of(queue.pending().get(0));
    }
    return queue.inadmissible().stream()
        .flatMap(other -> books.workload(other).stream())
        .filter(other -> other.namespace().equals(id.namespace())
            && books.requeueTime(other.id()).isEmpty()
            && books.priority(other) > books.priority(admitted.get()))
        .map(Workload::id)
        .findFirst();
  }
}
