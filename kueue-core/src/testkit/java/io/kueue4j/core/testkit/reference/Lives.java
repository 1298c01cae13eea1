package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.testkit.reference.placement.Nodes;
import io.kueue4j.core.testkit.reference.placement.Placement;
import io.kueue4j.core.testkit.reference.placement.Pods;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Changes of workloads outside scheduling: admission checks, delayed placement, stopped queues,
 * stopped pods.
 *
 * <p>Rules: L-4, L-5, L-6, L-7, L-8, L-9, L-11, L-12, U-22, U-25, T-77, T-78.
 */
final class Lives {
  private final State state;
  private final Specs specs;
  private final Instant now;

  Lives(State state, Instant now) {
    this.state = state;
    this.specs = state.specs;
    this.now = now;
  }

  // ----- quota and admission

  /** L-4, L-5, W-3, W-5. */
  void reserved(Job job) {
    state.usage.reserved(job, job.admission().orElseThrow().clusterQueue(), now, state.jobs());
    followChecks(job);
  }

  /** L-5: a workload that ran elsewhere has passed its checks. */
  void restored(Job job) {
    job.checks.follow(requiredChecks(job), now);
    job.checks.pass(now);
    job.setAdmitted(job.isPlaced(), job.admission().orElseThrow().quotaReservedTime());
    followQueues(job);
  }

  /** L-6. */
  void followChecks(Job job) {
    if (job.isEvicted() || job.isStopping()) {
      return;
    }
    job.checks.follow(requiredChecks(job), now);
    if (job.admission().isPresent()) {
      review(job);
    }
  }

  private Set<String> requiredChecks(Job job) {
    return job.admission()
        .map(held -> specs.requiredChecks(held.clusterQueue(), job.admission()))
        .or(() -> specs
            .localQueue(Specs.localQueueKey(job.workload()))
            .map(LocalQueue::clusterQueue)
            .filter(specs::hasQueue)
            .map(queue -> specs.requiredChecks(queue, Optional.empty())))
        .orElse(Set.of());
  }

  /** L-5, U-25, W-5: of a workload that holds quota. */
  private void review(Job job) {
    boolean isPassed = job.checks.arePassed();
    boolean wasAdmitted = job.isAdmitted();
    job.setAdmitted(isPassed && job.isPlaced(), now);
    if (job.isPlaced() || !isPassed) {
      job.placement = null;
    } else if (job.placement == null) {
      job.placement = Search.first(now);
    }
    if (job.isAdmitted() && !wasAdmitted) {
      String queue = job.admission().orElseThrow().clusterQueue();
      state.usage.admitted(job, queue, now, state.jobs());
    }
  }

  // ----- admission checks

  /** L-7, L-8. */
  void report(Job job, AdmissionCheckState check) {
    job.checks.report(check, now);
    boolean isRejected = job.checks.has(CheckState.REJECTED);
    boolean endsEvicted =
        isRejected && state.specs.settings().includes(KueueFix.REJECTIONS_WHILE_STOPPING);
    if (job.admission().isEmpty() || (job.isEvicted() && !endsEvicted)) {
      return;
    }
    if (isRejected) {
      end(job);
    } else if (job.checks.has(CheckState.RETRY)) {
      job.checks.retryTime().filter(now::isBefore).ifPresent(job::waitUntil);
      job.evict(EvictionReason.ADMISSION_CHECK, now);
    } else {
      review(job);
      followQueues(job);
    }
  }

  // ----- the end

  /** L-12: deactivates a workload that its owner has not deactivated. */
  void end(Job job) {
    Workload inactive = Workload.builder().from(job.workload()).active(false).build();
    deactivate(job);
    state.change(job, inactive, now);
  }

  /** L-12: releases its quota at once unless the settings say otherwise; stops if it held any. */
  void deactivate(Job job) {
    boolean runs = job.admission().isPresent() || job.isStopping();
    job.deactivate(now);
    if (job.admission().isPresent() && specs.settings().holdsQuotaUntilStopped()) {
      return;
    }
    state.noteEventOf(job);
    state.release(job);
    state.usage.left(job);
    job.setStopping(runs);
  }

  /** L-9. */
  void stopped(Job job) {
    state.noteEventOf(job);
    state.release(job);
    if (!job.workload().active()) {
      state.usage.left(job);
    }
    job.stop(now);
    followChecks(job);
    reviewWait(job);
    state.place(job, now);
    Slices.settle(state, job);
  }

  // ----- queues

  /** Follows the required checks of queues, and whether they are stopped. */
  void follow(Job job) {
    followChecks(job);
    followQueues(job);
    reviewWait(job);
  }

  /** U-22, L-11. */
  private void followQueues(Job job) {
    if (job.admission().isEmpty() || job.isEvicted()) {
      return;
    }
    StopPolicy ofQueue = specs.queue(job.admission().get().clusterQueue()).stopPolicy();
    Optional<LocalQueue> localQueue = specs.localQueue(Specs.localQueueKey(job.workload()));
    StopPolicy ofLocalQueue = localQueue.map(LocalQueue::stopPolicy).orElse(StopPolicy.NONE);
    if (!job.isAdmitted()) {
      boolean isStopped = ofQueue != StopPolicy.NONE || ofLocalQueue != StopPolicy.NONE;
      if (isStopped || localQueue.isEmpty()) {
        withdraw(job);
      }
    } else if (ofQueue == StopPolicy.HOLD_AND_DRAIN) {
      job.evict(EvictionReason.CLUSTER_QUEUE_STOPPED, now);
    } else if (ofLocalQueue == StopPolicy.HOLD_AND_DRAIN) {
      job.evict(EvictionReason.LOCAL_QUEUE_STOPPED, now);
    }
  }

  private void withdraw(Job job) {
    state.noteEventOf(job);
    state.release(job);
    followChecks(job);
    state.place(job, now);
  }

  /** L-9, U-23: ends the wait for a stopped queue. */
  void reviewWait(Job job) {
    boolean isOver = job.awaited()
        .filter(reason -> reason == EvictionReason.CLUSTER_QUEUE_STOPPED
            ? specs
                .targetQueue(job.workload())
                .filter(queue -> specs.queue(queue).stopPolicy() == StopPolicy.NONE)
                .isPresent()
            : specs.openLocalQueue(job.workload()).isPresent())
        .isPresent();
    if (isOver) {
      job.endWait();
      state.queueAgain(job, now);
    }
  }

  // ----- late places

  /**
   * T-77.
   *
   * @return the placed workloads, which may run from now on
   */
  ImmutableList<Admission> placeAll() {
    List<Job> due = state.jobs().stream()
        .filter(job -> job.placement != null && job.placement.isDue(now))
        .sorted(NodeRepairs.ORDER)
        .toList();
    ImmutableList.Builder<Admission> placed = ImmutableList.builder();
    for (Job job : due) {
      Admission held = job.admission().orElseThrow();
      Optional<Admission> found = placed(job, held);
      if (found.isEmpty()) {
        job.placement = Objects.requireNonNull(job.placement).next(now);
      } else {
        job.replace(found.get());
        state.queue(held.clusterQueue()).advanceGeneration();
        review(job);
        placed.add(found.get());
      }
    }
    return placed.build();
  }

  private Optional<Admission> placed(Job job, Admission held) {
    TopologyRules rules = new TopologyRules(specs, held.clusterQueue());
    Nodes nodes = state.snapshot().nodes;
    Map<Integer, Pods> pods = new TreeMap<>();
    for (PodSetAssignment each : held.podSetAssignments()) {
      if (Job.isDelayed(each)) {
        Set<String> flavors =
            each.flavors().values().stream().filter(nodes::hasFlavor).collect(Collectors.toSet());
        TopologyRequest request = job.podSet(each.name()).topologyRequest();
        boolean isRefused = specs.keepsPlaces(job.workload())
            && (request.required().isPresent() || request.preferred().isPresent());
        if (flavors.size() != 1 || isRefused || !rules.applyTo(job.podSet(each.name()))) {
          return Optional.empty();
        }
        pods.put(
            job.indexOf(each.name()),
            new Pods(job.podSet(each.name()), each.count(), flavors.iterator().next()));
      }
    }
    Placement.Result found =
        Placement.place(pods, nodes, Placement.Options.of(specs.settings(), false));
    if (found.problem().isPresent()) {
      return Optional.empty();
    }
    Admission.Builder placed = Admission.builder()
        .workload(held.workload())
        .clusterQueue(held.clusterQueue())
        .quotaReservedTime(held.quotaReservedTime());
    for (PodSetAssignment each : held.podSetAssignments()) {
      TopologyAssignment place = found.assignments().get(job.indexOf(each.name()));
      placed.addPodSetAssignments(
          place == null
              ? each
              : PodSetAssignment.builder()
                  .from(each)
                  .topologyAssignment(place)
                  .delayedTopologyRequest(DelayedTopologyRequest.READY)
                  .build());
    }
    return Optional.of(placed.build());
  }
}
