package io.kueue4j.core.testkit.reference;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pending workloads of a ClusterQueue.
 *
 * <p>Rules: U-2, U-3, U-4, U-7, U-8, U-10, U-11, U-12, U-13, U-14, U-15, U-16, U-19, U-20.
 */
final class QueueContents {
  /** U-10, U-11: the workload that waits for its victims. */
  private record PreemptorSlot(Job job, boolean isSticky, long specGeneration) {}

  private final String name;
  private final Specs specs;
  private final UsageHistories usage;

  /** U-4: fixed when the queue is added. */
  private final boolean isServedByUsage;

  private final Set<Job> active = new LinkedHashSet<>();
  private final Set<Job> parked = new LinkedHashSet<>();

  /** The inadmissible workloads whose backoff was not over. */
  private final Set<Job> inBackoff = new LinkedHashSet<>();

  /** U-15: shapes that are known not to fit. */
  private final Set<Job.Shape> hopelessShapes = new LinkedHashSet<>();

  private @Nullable PreemptorSlot preemptor;
  private long generation = 1;

  QueueContents(String name, Specs specs, UsageHistories usage) {
    this.name = name;
    this.specs = specs;
    this.usage = usage;
    this.isServedByUsage = usage.areUsedBy(name);
  }

  /** */
  long generation() {
    return generation;
  }

  void advanceGeneration() {
    generation++;
  }

  boolean contains(Job job) {
    return active.contains(job) || parked.contains(job);
  }

  /** U-15: a workload that its LocalQueue brings. */
  void bring(Job job) {
    active.add(job);
  }

  /** U-15, U-20. */
  void push(Job job, Instant now) {
    if (!job.isBackoffOver(now)) {
      parked.add(job);
      inBackoff.add(job);
    } else if (isHopeless(job)) {
      parked.add(job);
    } else {
      active.add(job);
    }
  }

  private boolean isHopeless(Job job) {
    return !isStrict() && job.shape().filter(hopelessShapes::contains).isPresent();
  }

  private boolean isStrict() {
    return specs.queue(name).queueingStrategy() == QueueingStrategy.STRICT_FIFO;
  }

  /** U-19: treats a changed workload as new, unless it stays active; keeps the preemptor. */
  void pushAgain(Job job, Instant now) {
    if (!active.contains(job)) {
      takeOut(job);
      push(job, now);
    }
  }

  private void takeOut(Job job) {
    active.remove(job);
    parked.remove(job);
    inBackoff.remove(job);
  }

  /** U-10: a removed workload is no longer the preemptor. */
  void remove(Job job) {
    takeOut(job);
    job.memory = null;
    if (preemptor != null && preemptor.job() == job) {
      preemptor = null;
    }
  }

  /** U-8. */
  Optional<Job> pop() {
    Optional<Job> head = active.stream().min(order());
    head.ifPresent(active::remove);
    return head;
  }

  /** L-23: puts a head back that was not tried after all. */
  void putBack(Job job) {
    active.add(job);
  }

  /** U-3, U-4. */
  private Comparator<Job> order() {
    return byUsage().thenComparing(job -> !isSticky(job)).thenComparing(Job.SERVICE_ORDER);
  }

  /** U-4, W-8. */
  private Comparator<Job> byUsage() {
    return Comparator.comparingDouble(
        job -> isServedByUsage ? usage.usage(Specs.localQueueKey(job.workload())) : 0);
  }

  private boolean isSticky(Job job) {
    return preemptor != null && preemptor.isSticky() && preemptor.job() == job;
  }

  /** U-11. */
  boolean isPreemptor(Job job) {
    return preemptor != null
        && preemptor.job() == job
        && preemptor.specGeneration() == job.specGeneration;
  }

  /** U-10, S-20: requeues a workload as after an attempt of its own. */
  void waitForVictims(Job job, Instant now) {
    takeOut(job);
    job.memory = null;
    requeue(job, RequeueReason.PENDING_PREEMPTION, now);
  }

  /** U-10, U-12, U-15. */
  void requeue(Job job, RequeueReason reason, Instant now) {
    if (reason == RequeueReason.PENDING_PREEMPTION) {
      preemptor = new PreemptorSlot(job, !isStrict(), job.specGeneration);
    } else if (preemptor != null
        && preemptor.job() == job
        && specs.settings().includes(KueueFix.FORGOTTEN_PREEMPTORS)) {
      preemptor = null;
    }
    boolean isImmediate =
        isStrict() ? reason != RequeueReason.NAMESPACE_MISMATCH : reason.isImmediate;
    boolean hasPendingFlavors = job.memory != null && job.memory.hasPendingFlavors();
    if (job.isBackoffOver(now) && (isImmediate || hasPendingFlavors)) {
      active.add(job);
      return;
    }
    parked.add(job);
    if (!job.isBackoffOver(now)) {
      inBackoff.add(job);
    }
    if (!isStrict() && reason.holdsForShape()) {
      job.shape().ifPresent(this::parkAll);
    }
  }

  private void parkAll(Job.Shape shape) {
    hopelessShapes.add(shape);
    List<Job> same = active.stream()
        .filter(job -> job.shape().filter(shape::equals).isPresent())
        .toList();
    same.forEach(active::remove);
    parked.addAll(same);
  }

  /** U-16. */
  void requeueParked(Instant now) {
    hopelessShapes.clear();
    for (Job job : List.copyOf(parked)) {
      if (job.isBackoffOver(now) && mayUse(job)) {
        takeOut(job);
        active.add(job);
      }
    }
  }

  private boolean mayUse(Job job) {
    return specs.mayUse(name, job.workload().namespace());
  }

  /** L-9, U-19: the end of a backoff is a change of the workload. */
  void endBackoffs(Instant now) {
    for (Job job : List.copyOf(inBackoff)) {
      if (job.isBackoffOver(now)) {
        inBackoff.remove(job);
        if (mayUse(job) && !isHopeless(job)) {
          takeOut(job);
          active.add(job);
        }
      }
    }
  }

  ImmutableList<Job> all() {
    List<Job> all = new ArrayList<>(active);
    all.addAll(parked);
    return ImmutableList.copyOf(all);
  }

  ImmutableList<WorkloadId> activeInOrder() {
    return active.stream().sorted(order()).map(Job::id).collect(toImmutableList());
  }

  /** Stickiness counts only for workloads that are tried. */
  ImmutableList<WorkloadId> parkedInOrder() {
    return parked.stream()
        .sorted(byUsage().thenComparing(Job.SERVICE_ORDER))
        .map(Job::id)
        .collect(toImmutableList());
  }
}
