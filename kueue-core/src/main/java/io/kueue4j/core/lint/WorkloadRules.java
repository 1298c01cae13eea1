package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.lint.Stage.Outcome;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds workloads that are not admitted even if nothing else runs.
 *
 * @param stage the configuration in force
 * @param workloads the workloads that will be submitted
 */
record WorkloadRules(Stage stage, ImmutableList<Workload> workloads) {
  /**
   * Reasons that have findings of their own, or against which neither a smaller job nor more quota
   * helps.
   */
  private static final ImmutableSet<ReasonCode> OTHERS = ImmutableSet.of(
      ReasonCode.LOCAL_QUEUE_STOPPED,
      ReasonCode.CLUSTER_QUEUE_NOT_FOUND,
      ReasonCode.CLUSTER_QUEUE_INACTIVE,
      ReasonCode.NAMESPACE_NOT_FOUND,
      ReasonCode.NAMESPACE_MISMATCH,
      ReasonCode.DEACTIVATED,
      ReasonCode.ADMISSION_GATED,
      ReasonCode.PREEMPTION_GATED,
      ReasonCode.BACKOFF,
      ReasonCode.ON_HOLD,
      ReasonCode.INADMISSIBLE_PODS,
      ReasonCode.FLAVOR_OF_REPLACED_SLICE,
      ReasonCode.OBSOLETE_SLICE,
      ReasonCode.INVALID);

  private static final ImmutableSet<ReasonCode> OF_SLICES = ImmutableSet.of(
      ReasonCode.FLAVOR_WITHOUT_TPU_POOLS,
      ReasonCode.SLICE_NOT_OFFERED,
      ReasonCode.SLICES_DO_NOT_FIT);

  private static final ImmutableSet<ReasonCode> OF_NODES =
      ImmutableSet.of(ReasonCode.UNTOLERATED_TAINT, ReasonCode.NODE_AFFINITY_MISMATCH);

  /** Reports all findings. */
  void check(Consumer<Finding> findings) {
    for (Workload workload : workloads) {
      if (workload.replaces().isEmpty()) {
        check(workload, findings);
      }
    }
    stage.all(ResourceFlavor.class).forEach(flavor -> checkPods(flavor, findings));
  }

  private void check(Workload workload, Consumer<Finding> findings) {
    Outcome alone = stage.play(ImmutableList.of(), ImmutableList.of(ImmutableList.of(workload)));
    List<Reason> reasons = alone.reasons(workload);
    if (reasons.isEmpty() || reasons.stream().map(Reason::code).anyMatch(OTHERS::contains)) {
      return;
    }
    Optional<Outcome> blocked = blocked(workload);
    boolean isOfSlices =
        workload.podSets().stream().map(PodSet::sliceRequest).anyMatch(Optional::isPresent)
            && reasons.stream().map(Reason::code).anyMatch(OF_SLICES::contains);
    LintRule rule = LintRule.NEVER_ADMITTED;
    if (isOfSlices) {
      rule = LintRule.SLICE_WITHOUT_POOL;
    } else if (blocked.isPresent()) {
      rule = LintRule.STRICT_FIFO_BLOCKED;
    }
    String why = reasons.stream().map(Reason::message).collect(joining("; "));
    findings.accept(new Finding(
        rule,
        "Workload " + workload.id(),
        "",
        "it is not admitted even if nothing else runs"
            + (blocked.isPresent() ? ", and blocks its StrictFIFO queue" : "") + ": " + why,
        advice(rule, reasons),
        Optional.of(blocked.orElse(alone).play())));
  }

  private static String advice(LintRule rule, List<Reason> reasons) {
    if (rule == LintRule.SLICE_WITHOUT_POOL) {
      return "request a slice that the pools offer, or add pools";
    }
    return reasons.stream().anyMatch(each -> each.code() == ReasonCode.LOCAL_QUEUE_NOT_FOUND)
        ? "add the LocalQueue, or name one that exists"
        : "let it request less, or give its ClusterQueue what it requests";
  }

  /** {@return the play in which a small workload waits behind this one and would start alone} */
  private Optional<Outcome> blocked(Workload workload) {
    Optional<ClusterQueue> queue =
        queueOf(workload).filter(found -> found.queueingStrategy() == QueueingStrategy.STRICT_FIFO);
    if (queue.isEmpty()) {
      return Optional.empty();
    }
    LocalQueue local =
        LocalQueue.of(workload.namespace(), workload.queueName(), queue.get().name());
    Entrance at = new Entrance(local, ImmutableList.of());
    int number = workload.name().equals(Stage.name(1)) ? 2 : 1;
    return stage.quotas().of(queue.get().key()).keySet().stream()
        .flatMap(pair -> {
          Workload small = Workload.builder()
              .from(stage.request(local, number, pair, 1))
              .creationTime(TimeMath.saturatedAdd(
                  workload.creationTime().orElse(Instant.EPOCH), Duration.ofSeconds(1)))
              .priority(workload.priority())
              .priorityClass(workload.priorityClass())
              .build();
          Outcome behind = stage.play(at, workload, small);
          return !behind.holds(small) && stage.play(at, small).holds(small)
              ? Optional.of(behind).stream()
              : Optional.<Outcome>empty().stream();
        })
        .findFirst();
  }

  /** Reports a flavor if workloads could choose it, and the pods of none of them can use it. */
  private void checkPods(ResourceFlavor flavor, Consumer<Finding> findings) {
    Map<String, Optional<Stage>> stages = new HashMap<>();
    Optional<Outcome> first = Optional.empty();
    int count = 0;
    for (Workload workload : workloads) {
      Optional<Stage> only = queueOf(workload)
          .flatMap(queue -> stages.computeIfAbsent(
              queue.name(),
              name -> only(flavor, queue).map(changed -> stage.with(ImmutableList.of(changed)))));
      if (only.isEmpty()) {
        continue;
      }
      Outcome outcome =
          only.get().play(ImmutableList.of(), ImmutableList.of(ImmutableList.of(workload)));
      boolean isKeptOut = workload.podSets().size() == 1
          && outcome.reasons(workload).stream().anyMatch(reason -> keepsPodsFrom(flavor, reason));
      if (!isKeptOut) {
        return;
      }
      first = first.or(() -> Optional.of(outcome));
      count++;
    }
    if (first.isPresent()) {
      findings.accept(new Finding(
          LintRule.FLAVOR_WITHOUT_PODS,
          flavor.key(),
          "name",
          "none of the " + count + " workloads of its queues can use the flavor: each lacks a"
              + " toleration of its taints, or selects other nodes",
          "let pods tolerate and select it, add tolerations to the flavor, or remove its quota",
          first.map(Outcome::play)));
    }
  }

  private static boolean keepsPodsFrom(ResourceFlavor flavor, Reason reason) {
    return OF_NODES.contains(reason.code()) && reason.flavor().equals(Optional.of(flavor.name()));
  }

  private Optional<ClusterQueue> queueOf(Workload workload) {
    return stage
        .find(LocalQueue.class, workload.namespace() + "/" + workload.queueName())
        .flatMap(local -> stage.find(ClusterQueue.class, local.clusterQueue()));
  }

  /** {@return a queue with no other flavor in the group of {@code flavor}, empty if it lacks it} */
  private Optional<ClusterQueue> only(ResourceFlavor flavor, ClusterQueue queue) {
    if (stage.quotas().pairOf(queue.key(), flavor.name()).isEmpty()) {
      return Optional.empty();
    }
    ImmutableList<ResourceGroup> groups = queue.resourceGroups().stream()
        .map(group -> group.flavors().stream()
            .filter(quotas -> quotas.flavor().equals(flavor.name()))
            .findFirst()
            .map(quotas -> new ResourceGroup(group.coveredResources(), ImmutableList.of(quotas)))
            .orElse(group))
        .collect(toImmutableList());
    return Optional.of(ClusterQueue.builder()
        .from(queue)
        .resourceGroups(groups)
        .admissionChecks(ImmutableList.of())
        .concurrentAdmissionPolicy(Optional.empty())
        .build());
  }
}
