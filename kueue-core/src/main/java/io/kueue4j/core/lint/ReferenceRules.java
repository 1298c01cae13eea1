package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.lint.Finding.Play;
import io.kueue4j.core.lint.Stage.Outcome;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Finds objects that are missing where others refer to them, or that nothing refers to.
 *
 * @param stage the configuration in force
 * @param quotas the quotas of it
 */
record ReferenceRules(Stage stage, SharedQuotas quotas) {
  private static final String UNTIL = "; the ClusterQueue admits nothing until there is";

  /** Reports all findings. */
  void check(Consumer<Finding> findings) {
    Set<String> reported = new TreeSet<>();
    for (ClusterQueue queue : stage.all(ClusterQueue.class)) {
      if (!stage.view(queue).isActive()) {
        checkFlavors(queue, findings, reported);
        checkChecks(queue, findings);
      }
    }
    checkUse(findings);
    stage.all(LocalQueue.class).forEach(queue -> checkLocalQueue(queue, findings));
    checkPriorities(findings);
  }

  private void checkFlavors(ClusterQueue queue, Consumer<Finding> findings, Set<String> reported) {
    Set<String> seen = new TreeSet<>();
    quotas.of(queue.key()).forEach((pair, declared) -> {
      if (!seen.add(pair.flavor())) {
        return;
      }
      Optional<ResourceFlavor> flavor = stage.find(ResourceFlavor.class, pair.flavor());
      if (flavor.isEmpty()) {
        String field = declared.field().substring(0, declared.field().lastIndexOf('.'));
        findings.accept(new Finding(
            LintRule.MISSING_OBJECT,
            queue.key(),
            field + ".name",
            "there is no ResourceFlavor " + pair.flavor() + UNTIL,
            "add the ResourceFlavor, or name one that exists",
            waiting(queue, pair)));
        return;
      }
      Optional<String> topology = flavor.get().topologyName();
      if (topology.isPresent()
          && stage.find(Topology.class, topology.get()).isEmpty()
          && reported.add(flavor.get().key())) {
        findings.accept(new Finding(
            LintRule.MISSING_OBJECT,
            flavor.get().key(),
            "topologyName",
            "there is no Topology " + topology.get() + ", so ClusterQueue " + queue.name()
                + " admits nothing until there is",
            "add the Topology, or name one that exists",
            waiting(queue, pair)));
      }
      Optional<String> pools = flavor.get().tpuPoolSet();
      if (pools.isPresent()
          && stage.find(TpuPoolSet.class, pools.get()).isEmpty()
          && reported.add(flavor.get().key())) {
        findings.accept(new Finding(
            LintRule.MISSING_OBJECT,
            flavor.get().key(),
            "tpuPoolSet",
            "there are no TPU pools " + pools.get() + ", so ClusterQueue " + queue.name()
                + " admits nothing until there are",
            "add the pools, or nodes that form them",
            waiting(queue, pair)));
      }
    });
  }

  private void checkChecks(ClusterQueue queue, Consumer<Finding> findings) {
    Optional<QuotaPair> first = quotas.of(queue.key()).keySet().stream().findFirst();
    for (int i = 0; i < queue.admissionChecks().size(); i++) {
      String name = queue.admissionChecks().get(i).name();
      Optional<AdmissionCheck> check = stage.find(AdmissionCheck.class, name);
      if (check.filter(AdmissionCheck::active).isEmpty()) {
        findings.accept(new Finding(
            LintRule.UNANSWERED_CHECK,
            queue.key(),
            "admissionChecks[" + i + "].name",
            check
                .map(found -> "AdmissionCheck " + name + " is not active, since controller "
                    + found.controllerName() + " does not answer; the ClusterQueue admits nothing")
                .orElse("there is no AdmissionCheck " + name + UNTIL),
            check.isPresent()
                ? "install the controller or correct the parameters of the check"
                : "add the AdmissionCheck, or remove the name",
            first.flatMap(pair -> waiting(queue, pair))));
      }
    }
  }

  /** {@return the play of a workload that waits since its ClusterQueue is inactive} */
  private Optional<Play> waiting(ClusterQueue queue, QuotaPair pair) {
    return stage.playLeast(queue, pair).map(Outcome::play);
  }

  private void checkUse(Consumer<Finding> findings) {
    ImmutableSet<String> used = Stream.concat(
            stage.all(ClusterQueue.class).stream().map(ClusterQueue::key),
            stage.all(Cohort.class).stream().map(Cohort::key))
        .flatMap(key -> quotas.of(key).keySet().stream())
        .map(QuotaPair::flavor)
        .collect(toImmutableSet());
    for (ResourceFlavor flavor : stage.all(ResourceFlavor.class)) {
      if (!used.contains(flavor.name())) {
        findings.accept(new Finding(
            LintRule.UNUSED_FLAVOR,
            flavor.key(),
            "name",
            "no ClusterQueue and no Cohort has quota of the flavor",
            "give a queue quota of it, or remove it",
            Optional.empty()));
      }
    }
  }

  private void checkLocalQueue(LocalQueue queue, Consumer<Finding> findings) {
    Optional<ClusterQueue> target = stage.find(ClusterQueue.class, queue.clusterQueue());
    QuotaPair pair = target.stream()
        .flatMap(found -> quotas.of(found.key()).keySet().stream())
        .findFirst()
        .orElse(new QuotaPair("", "cpu"));
    Workload workload = stage.request(queue, 1, pair, 1);
    Outcome outcome = stage.play(new Entrance(queue, ImmutableList.of()), workload);
    for (Reason reason : outcome.reasons(workload)) {
      if (reason.code() == ReasonCode.CLUSTER_QUEUE_NOT_FOUND) {
        findings.accept(new Finding(
            LintRule.UNUSABLE_LOCAL_QUEUE,
            queue.key(),
            "clusterQueue",
            "there is no ClusterQueue " + queue.clusterQueue()
                + "; workloads of the LocalQueue wait until there is",
            "add the ClusterQueue, or name one that exists",
            Optional.of(outcome.play())));
      } else if (reason.code() == ReasonCode.NAMESPACE_MISMATCH
          && target.filter(found -> isNamespaceKnown(queue, found)).isPresent()) {
        findings.accept(new Finding(
            LintRule.UNUSABLE_LOCAL_QUEUE,
            queue.key(),
            "namespace",
            "the namespace selector of ClusterQueue " + queue.clusterQueue()
                + " does not match namespace " + queue.namespace(),
            "let the selector match the namespace, or remove the LocalQueue",
            Optional.of(outcome.play())));
      } else if (reason.code() == ReasonCode.CLUSTER_QUEUE_INACTIVE
          && target.filter(found -> found.stopPolicy() != StopPolicy.NONE).isPresent()) {
        findings.accept(new Finding(
            LintRule.STOPPED_QUEUE,
            queue.key(),
            "clusterQueue",
            "ClusterQueue " + queue.clusterQueue() + " is stopped ("
                + target.get().stopPolicy() + "), so workloads of the LocalQueue wait",
            "set its stopPolicy to None when it should serve them",
            Optional.of(outcome.play())));
      }
    }
  }

  /** Labels of a namespace that was not given are not known, but for its name. */
  private boolean isNamespaceKnown(LocalQueue queue, ClusterQueue target) {
    return stage.all(Namespace.class).stream()
            .anyMatch(namespace -> namespace.name().equals(queue.namespace()))
        || target.namespaceSelector().filter(it -> !asksForNameOnly(it)).isEmpty();
  }

  private static boolean asksForNameOnly(LabelSelector selector) {
    return Stream.concat(
            selector.matchLabels().keySet().stream(),
            selector.matchExpressions().stream().map(LabelRequirement::key))
        .allMatch(Namespace.NAME_LABEL::equals);
  }

  private void checkPriorities(Consumer<Finding> findings) {
    Map<Integer, WorkloadPriorityClass> byValue = new HashMap<>();
    for (WorkloadPriorityClass priorityClass : stage.all(WorkloadPriorityClass.class)) {
      WorkloadPriorityClass first = byValue.putIfAbsent(priorityClass.value(), priorityClass);
      if (first != null) {
        findings.accept(new Finding(
            LintRule.PRIORITY_WITHOUT_EFFECT,
            priorityClass.key(),
            "value",
            "the value " + priorityClass.value() + " is the value of WorkloadPriorityClass "
                + first.name() + ", too; neither goes before the other",
            "give it another value, or use one of the two",
            equalPriorities(first, priorityClass)));
      }
    }
  }

  /** {@return the play of two workloads, the first of which keeps its quota} */
  private Optional<Play> equalPriorities(
      WorkloadPriorityClass first, WorkloadPriorityClass second) {
    return stage.all(ClusterQueue.class).stream()
        .flatMap(queue -> stage.entrance(queue).stream()
            .flatMap(at -> quotas.of(queue.key()).keySet().stream().limit(1).map(pair -> {
              long all = quotas.potential(queue.key(), pair);
              return stage.play(
                  at,
                  ofClass(first, stage.request(at.queue(), 1, pair, all)),
                  ofClass(second, stage.request(at.queue(), 2, pair, all)));
            })))
        .filter(outcome -> outcome.holding().size() == 1)
        .map(Outcome::play)
        .findFirst();
  }

  private static Workload ofClass(WorkloadPriorityClass priorityClass, Workload workload) {
    return Workload.builder()
        .from(workload)
        .priorityClass(priorityClass.name())
        .priority(priorityClass.value())
        .build();
  }
}
