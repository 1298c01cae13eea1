package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.testkit.StepOutcome.Answered;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The harness's own books: the events passed to an engine, and its decisions. They never use the
 * internals of the engine. Immutable once returned; {@link #after} creates the next.
 */
final class Ledger {
  /** Sums of amounts from here on may saturate. */
  static final BigInteger GREAT = BigInteger.TWO.pow(60);

  private final Settings settings;
  private final Map<String, ConfigObject> configuration = new TreeMap<>();
  private final Map<WorkloadId, Workload> workloads = new TreeMap<>();
  private final Map<WorkloadId, SortedMap<String, Integer>> reclaimablePods = new TreeMap<>();
  private final Map<WorkloadId, Admission> admissions = new TreeMap<>();
  private final Map<WorkloadId, Instant> requeueTimes = new TreeMap<>();
  private final Set<WorkloadId> stopping = new TreeSet<>();
  private final Set<WorkloadId> deactivated = new TreeSet<>();
  private final Set<String> queuesOfNewStrategy = new TreeSet<>();
  private final Set<String> removedNamespaces = new TreeSet<>();
  private final Set<String> queuesServedByUsage = new TreeSet<>();
  private Instant now = Scenario.START;

  Ledger(Settings settings) {
    this.settings = settings;
  }

  private Ledger(Ledger other) {
    this(other.settings);
    configuration.putAll(other.configuration);
    workloads.putAll(other.workloads);
    reclaimablePods.putAll(other.reclaimablePods);
    admissions.putAll(other.admissions);
    requeueTimes.putAll(other.requeueTimes);
    stopping.addAll(other.stopping);
    deactivated.addAll(other.deactivated);
    queuesOfNewStrategy.addAll(other.queuesOfNewStrategy);
    removedNamespaces.addAll(other.removedNamespaces);
    queuesServedByUsage.addAll(other.queuesServedByUsage);
    now = other.now;
  }

  Ledger after(PlayedStep played) {
    Ledger next = new Ledger(this);
    if (!played.outcome().isRefused()) {
      next.note(played);
    }
    return next;
  }

  /** {@return the books with {@code replaced} in place of the known admissions} */
  Ledger with(Iterable<Admission> replaced) {
    Ledger next = new Ledger(this);
    replaced.forEach(admission -> next.admissions.put(admission.workload(), admission));
    return next;
  }

  private void note(PlayedStep played) {
    Step step = played.step();
    boolean yes = !(played.outcome() instanceof Answered answered) || answered.yes();
    if (step instanceof Step.Apply apply) {
      apply.objects().forEach(this::note);
    } else if (step instanceof Step.Remove remove && yes) {
      configuration.remove(key(remove));
      if (remove.kind() == Step.Kind.NAMESPACE) {
        removedNamespaces.add(remove.name());
      }
      if (remove.kind() == Step.Kind.CLUSTER_QUEUE) {
        queuesServedByUsage.remove(remove.name());
      }
    } else if (step instanceof Step.PassTime passTime) {
      now = now.plus(passTime.duration());
    } else if (step instanceof Step.Submit submit && yes) {
      workloads.put(submit.workload().id(), submit.workload());
    } else if (step instanceof Step.RestoreWaiting restore) {
      workloads.put(restore.workload().id(), restore.workload());
      requeueTimes.put(restore.workload().id(), restore.requeueAt());
    } else if (step instanceof Step.Update update && yes) {
      workloads.put(update.workload().id(), update.workload());
    } else if (step instanceof Step.SetReclaimablePods set && yes) {
      reclaimablePods.put(set.workload(), set.pods());
    } else if (step instanceof Step.Tell tell && yes) {
      note(tell);
    } else if (step instanceof Step.Restore restore) {
      workloads.put(restore.workload().id(), restore.workload());
      if (restore.workload().active()) {
        admissions.put(restore.workload().id(), restore.admission());
        if (restore.preempted().isPresent()) {
          stopping.add(restore.workload().id());
        }
      } else {
        deactivated.add(restore.workload().id());
      }
    } else if (step instanceof Step.TryAdmit tryAdmit && !played.admitted().isEmpty()) {
      workloads.put(tryAdmit.workload().id(), tryAdmit.workload());
    }
    played.replaced().forEach(admission -> admissions.put(admission.workload(), admission));
    played.admitted().forEach(admission -> admissions.put(admission.workload(), admission));
    played.evictions().forEach(eviction -> stopping.add(eviction.victim()));
    stopping.addAll(played.stopped());
  }

  private void note(ConfigObject object) {
    ConfigObject old = configuration.put(object.key(), object);
    if (old instanceof ClusterQueue before
        && object instanceof ClusterQueue queue
        && before.queueingStrategy() != queue.queueingStrategy()) {
      queuesOfNewStrategy.add(queue.name());
    }
    if (old == null && object instanceof ClusterQueue queue && goesByUsage(queue)) {
      queuesServedByUsage.add(queue.name());
    }
    if (object instanceof Namespace namespace) {
      removedNamespaces.remove(namespace.name());
    } else if (object instanceof LocalQueue queue) {
      // It implies its namespace.
      removedNamespaces.remove(queue.namespace());
    }
  }

  private boolean goesByUsage(ClusterQueue queue) {
    return isEnabled(FeatureGate.ADMISSION_FAIR_SHARING)
        && settings.admissionFairSharing().isPresent()
        && queue.admissionMode() == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING;
  }

  private void note(Step.Tell tell) {
    switch (tell.event()) {
      case FINISHED, DELETED, RELEASED -> {
        workloads.remove(tell.workload());
        reclaimablePods.remove(tell.workload());
        requeueTimes.remove(tell.workload());
        admissions.remove(tell.workload());
        stopping.remove(tell.workload());
        deactivated.remove(tell.workload());
      }
      case PODS_STOPPED -> {
        admissions.remove(tell.workload());
        stopping.remove(tell.workload());
        deactivated.remove(tell.workload());
      }
      case ADMISSION_RECORDED -> {}
    }
  }

  private static String key(Step.Remove remove) {
    return switch (remove.kind()) {
      case CLUSTER_QUEUE -> "ClusterQueue " + remove.name();
      case COHORT -> "Cohort " + remove.name();
      case LOCAL_QUEUE -> "LocalQueue " + remove.namespace() + "/" + remove.name();
      case RESOURCE_FLAVOR -> "ResourceFlavor " + remove.name();
      case TOPOLOGY -> "Topology " + remove.name();
      case NODE -> "Node " + remove.name();
      case NAMESPACE -> "Namespace " + remove.name();
      case PRIORITY_CLASS -> "WorkloadPriorityClass " + remove.name();
      case ADMISSION_CHECK -> "AdmissionCheck " + remove.name();
    };
  }

  // ----- queries

  /** {@return the time before which a workload is not tried, as it was restored with} */
  Optional<Instant> requeueTime(WorkloadId workload) {
    return Optional.ofNullable(requeueTimes.get(workload));
  }

  Settings settings() {
    return settings;
  }

  boolean isEnabled(FeatureGate gate) {
    return settings.isEnabled(gate);
  }

  Collection<ConfigObject> configuration() {
    return configuration.values();
  }

  private <T extends ConfigObject> ImmutableList<T> all(Class<T> type) {
    return configuration.values().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .collect(toImmutableList());
  }

  ImmutableList<ClusterQueue> queues() {
    return all(ClusterQueue.class);
  }

  ImmutableList<Cohort> cohorts() {
    return all(Cohort.class);
  }

  ImmutableList<LocalQueue> localQueues() {
    return all(LocalQueue.class);
  }

  Optional<LocalQueue> localQueue(String key) {
    return Optional.ofNullable((LocalQueue) configuration.get("LocalQueue " + key));
  }

  /** {@return the namespaces that were removed although their LocalQueues were not} */
  Set<String> removedNamespaces() {
    return removedNamespaces;
  }

  boolean hasNamespace(String name) {
    return configuration.containsKey("Namespace " + name);
  }

  Optional<ResourceFlavor> flavor(String name) {
    return Optional.ofNullable((ResourceFlavor) configuration.get("ResourceFlavor " + name));
  }

  ImmutableList<Node> nodes() {
    return all(Node.class);
  }

  /** {@return the topology of a flavor, if it exists and pods are placed} */
  Optional<Topology> topologyOf(String flavor) {
    return flavor(flavor)
        .filter(unused -> placesPods())
        .flatMap(ResourceFlavor::topologyName)
        .map(name -> (Topology) configuration.get("Topology " + name));
  }

  /** {@return whether topologies matter} */
  boolean placesPods() {
    return isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING);
  }

  /** {@return whether some flavor has a topology, so that quota is not the only constraint} */
  boolean hasTopologies() {
    return placesPods()
        && all(ResourceFlavor.class).stream()
            .anyMatch(flavor -> flavor.topologyName().isPresent());
  }

  Optional<ClusterQueue> queue(String name) {
    return Optional.ofNullable((ClusterQueue) configuration.get("ClusterQueue " + name));
  }

  /** {@return the ClusterQueue of the LocalQueue of a workload} */
  Optional<ClusterQueue> queueOf(Workload workload) {
    return localQueue(workload.namespace() + "/" + workload.queueName())
        .flatMap(queue -> queue(queue.clusterQueue()));
  }

  Collection<Workload> workloads() {
    return workloads.values();
  }

  Optional<Workload> workload(WorkloadId id) {
    return Optional.ofNullable(workloads.get(id));
  }

  Map<WorkloadId, Admission> admissions() {
    return admissions;
  }

  boolean holdsQuota(WorkloadId id) {
    return admissions.containsKey(id);
  }

  Set<WorkloadId> stopping() {
    return stopping;
  }

  /** {@return the workloads whose pods stop although their quota is free already (L-12)} */
  Set<WorkloadId> deactivated() {
    return deactivated;
  }

  /** {@return whether the queueing strategy of an existing queue was changed} */
  boolean hasNewStrategy(String queue) {
    return queuesOfNewStrategy.contains(queue);
  }

  /** {@return whether a queue serves LocalQueues by usage (U-4)} */
  boolean isServedByUsage(String queue) {
    return queuesServedByUsage.contains(queue);
  }

  /** {@return whether admissions of a queue cause penalties (W-0)} */
  boolean goesByUsage(String queue) {
    return queue(queue).filter(this::goesByUsage).isPresent();
  }

  Instant now() {
    return now;
  }

  /** {@return the effective priority (M-22)} */
  long priority(Workload workload) {
    long own = workload
        .priorityClass()
        .map(name -> (WorkloadPriorityClass) configuration.get("WorkloadPriorityClass " + name))
        .map(WorkloadPriorityClass::value)
        .orElse(workload.priority());
    return isEnabled(FeatureGate.PRIORITY_BOOST) ? own + workload.priorityBoost() : own;
  }

  /** {@return the number of pods that need no quota any more, by pod set} */
  SortedMap<String, Integer> reclaimablePods(WorkloadId id) {
    return reclaimablePods.getOrDefault(id, ImmutableSortedMap.of());
  }

  /** {@return the pods of a pod set that still need quota } */
  int podCount(Workload workload, PodSet podSet) {
    return isEnabled(FeatureGate.RECLAIMABLE_PODS)
        ? podSet.count() - reclaimablePods(workload.id()).getOrDefault(podSet.name(), 0)
        : podSet.count();
  }

  /** {@return the usage of a workload, by pair } */
  Map<Pair, BigInteger> charge(WorkloadId id) {
    Map<Pair, BigInteger> charge = new TreeMap<>();
    Admission admission = admissions.get(id);
    Workload workload = workloads.get(id);
    if (admission == null || workload == null) {
      return charge;
    }
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      int count = workload.podSets().stream()
          .filter(podSet -> podSet.name().equals(assignment.name()))
          .mapToInt(podSet -> podCount(workload, podSet))
          .findFirst()
          .orElse(assignment.count());
      assignment.flavors().forEach((resource, flavor) -> {
        long amount = assignment.resourceUsage().getOrDefault(resource, 0L);
        BigInteger held = count < assignment.count()
            ? BigInteger.valueOf(amount / assignment.count()).multiply(BigInteger.valueOf(count))
            : BigInteger.valueOf(amount);
        charge.merge(new Pair(flavor, resource), held, BigInteger::add);
      });
    }
    return charge;
  }

  /** {@return whether any usage is so large that sums of it may saturate} */
  boolean hasGreatUsage() {
    return admissions.keySet().stream()
        .flatMap(id -> charge(id).values().stream())
        .anyMatch(amount -> amount.compareTo(GREAT) >= 0);
  }

  /** {@return the usage of all workloads of a queue except {@code except}, by pair} */
  Map<Pair, BigInteger> usage(String queue, Set<WorkloadId> except) {
    Map<Pair, BigInteger> usage = new TreeMap<>();
    admissions.forEach((id, admission) -> {
      if (admission.clusterQueue().equals(queue) && !except.contains(id)) {
        charge(id).forEach((pair, amount) -> usage.merge(pair, amount, BigInteger::add));
      }
    });
    return usage;
  }
}
