package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.resource.Amount;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.immutables.value.Value;

/**
 * What is admitted as a whole or not at all: the pods of one job.
 *
 * <p>Kueue: {@code Workload.spec} and the parts of its status that a caller decides. Rules: M-28,
 * M-32, L-1, E-2, T-87 and section 2.6 of the rule index.
 */
@Value.Immutable
public abstract class Workload {
  Workload() {}

  /** {@return a new builder; namespace, name, queueName and one pod set are required} */
  public static Builder builder() {
    return ImmutableWorkload.builder();
  }

  /** {@return a workload of some pod sets, with the defaults of everything else} */
  public static Workload of(String namespace, String name, String queueName, PodSet... podSets) {
    return builder()
        .namespace(namespace)
        .name(name)
        .queueName(queueName)
        .addPodSets(podSets)
        .build();
  }

  /** {@return the namespace} */
  public abstract String namespace();

  /** {@return the name, unique in the namespace} */
  public abstract String name();

  /** {@return the identity} */
  @Value.Lazy
  public WorkloadId id() {
    return WorkloadId.of(namespace(), name());
  }

  /**
   * {@return what decides between workloads that are equal in everything else;
   * {@code namespace/name} unless set}
   */
  @Value.Default
  public String uid() {
    return namespace() + "/" + name();
  }

  /** {@return the LocalQueue, in the workload's namespace} */
  public abstract String queueName();

  /** {@return the priority unless {@link #priorityClass()} says otherwise; higher goes first} */
  @Value.Default
  public int priority() {
    return 0;
  }

  /**
   * {@return the {@link WorkloadPriorityClass} whose value is the priority as long as that class is
   * known}
   */
  public abstract Optional<String> priorityClass();

  /** {@return what is added to the priority if the feature gate {@code PriorityBoost} is on} */
  @Value.Default
  public int priorityBoost() {
    return 0;
  }

  /**
   * {@return when it was created, the time of submission if absent; counted in whole seconds (rule
   * U-6)}
   */
  public abstract Optional<Instant> creationTime();

  /** {@return its pods, 1 to 18 sets} */
  public abstract ImmutableList<PodSet> podSets();

  /** {@return what all pods of all pod sets request, by resource} */
  public ImmutableSortedMap<String, Long> totalRequests() {
    NavigableMap<String, Long> totals = new TreeMap<>();
    for (PodSet podSet : podSets()) {
      podSet
          .requests()
          .forEach((resource, amount) ->
              totals.merge(resource, Amount.multiply(amount, podSet.count()), Amount::add));
    }
    return ImmutableSortedMap.copyOfSorted(totals);
  }

  /** {@return whether it may be queued} */
  @Value.Default
  public boolean active() {
    return true;
  }

  /** {@return names of those who keep it out of the queue; it is queued when there is none} */
  @Value.NaturalOrder
  public abstract ImmutableSortedSet<String> admissionGates();

  /**
   * {@return names of those who keep it from preempting others until they let it, each a gate that
   * is closed at first and after every eviction; they count with the feature gate
   * {@code ConcurrentAdmission} or {@code MultiKueueOrchestratedPreemption} (rule L-25)}
   */
  @Value.NaturalOrder
  public abstract ImmutableSortedSet<String> preemptionGates();

  /**
   * {@return the only flavors that it may be admitted on, empty for all; they count with the
   * feature gate {@code ConcurrentAdmission} (rule F-9)}
   */
  @Value.NaturalOrder
  public abstract ImmutableSortedSet<String> allowedFlavors();

  /** {@return pods that need no quota any more, by pod set} */
  @Value.NaturalOrder
  public abstract ImmutableSortedMap<String, Integer> reclaimablePods();

  /**
   * {@return whether its number of pods may change while it holds quota: down by an update, up by
   * another workload that {@linkplain #replaces replaces} it (rules E-1 … E-9)}
   */
  @Value.Default
  public boolean elastic() {
    return false;
  }

  /**
   * {@return the slice of the same elastic job that holds quota and leaves as soon as this workload
   * is admitted; only the difference is asked for (rules E-2 … E-6)}
   */
  public abstract Optional<WorkloadId> replaces();

  /**
   * {@return the name that all slices of its elastic job share, that of the first one}
   *
   * <p>Slices that replace each other are known to be of one job without it; the name is needed
   * where the slice is gone that links two others. Of several slices of a job one goes on (rule
   * E-8).
   */
  public abstract Optional<String> sliceName();

  /**
   * {@return whether it is that of one plain pod, which is in no group: it ends with the pod, and
   * the pod cannot move to another node (rule T-87)}
   */
  @Value.Default
  public boolean ownedBySinglePod() {
    return false;
  }

  /**
   * {@return before when it is not to be tried again, absent if there is no such time (rule U-20)}
   */
  public abstract Optional<Instant> requeueAt();

  /**
   * {@return whether it may be tried again after an eviction; condition {@code Requeued} is not
   * False (rule U-20)}
   */
  @Value.Default
  public boolean requeued() {
    return true;
  }

  /**
   * {@return how long it may be admitted altogether before it is deactivated, at least a second;
   * absent for any time (rule L-21)}
   */
  public abstract Optional<Duration> maximumExecutionTime();

  /**
   * {@return why its pods could not be created, in words: requests above limits, LimitRange
   * violations}
   *
   * <p>Found by whoever knows the pods; as long as there are any the workload is inadmissible (rule
   *
   */
  public abstract ImmutableList<String> admissibilityProblems();

  /** Builds {@link Workload}s; reusable, not safe for several threads. */
  public abstract static class Builder {
    Builder() {}

    /** Sets the namespace. */
    @CanIgnoreReturnValue
    public abstract Builder namespace(String namespace);

    /** Sets the name. */
    @CanIgnoreReturnValue
    public abstract Builder name(String name);

    /** Sets the unique id. */
    @CanIgnoreReturnValue
    public abstract Builder uid(String uid);

    /** Sets the LocalQueue. */
    @CanIgnoreReturnValue
    public abstract Builder queueName(String queueName);

    /** Sets the priority. */
    @CanIgnoreReturnValue
    public abstract Builder priority(int priority);

    /** Sets the priority class. */
    @CanIgnoreReturnValue
    public abstract Builder priorityClass(String priorityClass);

    /** Sets or clears the priority class. */
    @CanIgnoreReturnValue
    public abstract Builder priorityClass(Optional<String> priorityClass);

    /** Sets the priority boost. */
    @CanIgnoreReturnValue
    public abstract Builder priorityBoost(int priorityBoost);

    /** Sets the creation time. */
    @CanIgnoreReturnValue
    public abstract Builder creationTime(Instant creationTime);

    /** Sets or clears the creation time. */
    @CanIgnoreReturnValue
    public abstract Builder creationTime(Optional<? extends Instant> creationTime);

    /** Adds pod sets. */
    @CanIgnoreReturnValue
    public abstract Builder addPodSets(PodSet... podSets);

    /** Adds pod sets. */
    @CanIgnoreReturnValue
    public abstract Builder addAllPodSets(Iterable<? extends PodSet> podSets);

    /** Sets the pod sets, instead of those added so far. */
    @CanIgnoreReturnValue
    public abstract Builder podSets(Iterable<? extends PodSet> podSets);

    /** Sets whether the workload may be queued. */
    @CanIgnoreReturnValue
    public abstract Builder active(boolean active);

    /** Adds names of those who keep it out of the queue. */
    @CanIgnoreReturnValue
    public abstract Builder addAllAdmissionGates(Iterable<String> gates);

    /** Sets the names of those who keep it out of the queue, instead of those added so far. */
    @CanIgnoreReturnValue
    public abstract Builder admissionGates(Iterable<String> gates);

    /** Adds names of those who keep it from preempting. */
    @CanIgnoreReturnValue
    public abstract Builder addAllPreemptionGates(Iterable<String> gates);

    /** Sets the names of those who keep it from preempting, instead of those added so far. */
    @CanIgnoreReturnValue
    public abstract Builder preemptionGates(Iterable<String> gates);

    /** Sets the flavors that it may be admitted on, instead of those added so far. */
    @CanIgnoreReturnValue
    public abstract Builder allowedFlavors(Iterable<String> flavors);

    /** Sets the number of pods of a pod set that need no quota any more. */
    @CanIgnoreReturnValue
    public abstract Builder putReclaimablePods(String podSet, int count);

    /** Sets the number of pods that need no quota any more, by pod set. */
    @CanIgnoreReturnValue
    public abstract Builder putAllReclaimablePods(Map<String, ? extends Integer> counts);

    /**
     * Sets the number of pods that need no quota any more, by pod set, instead of those added so
     * far.
     */
    @CanIgnoreReturnValue
    public abstract Builder reclaimablePods(Map<String, ? extends Integer> counts);

    /** Sets whether the number of pods may change while the workload holds quota. */
    @CanIgnoreReturnValue
    public abstract Builder elastic(boolean elastic);

    /** Sets whether it is the workload of one plain pod. */
    @CanIgnoreReturnValue
    public abstract Builder ownedBySinglePod(boolean ownedBySinglePod);

    /** Sets the slice of the same job that this workload replaces. */
    @CanIgnoreReturnValue
    public abstract Builder replaces(WorkloadId slice);

    /** Sets or clears the slice of the same job that this workload replaces. */
    @CanIgnoreReturnValue
    public abstract Builder replaces(Optional<? extends WorkloadId> slice);

    /** Sets the name that all slices of the job share. */
    @CanIgnoreReturnValue
    public abstract Builder sliceName(String sliceName);

    /** Sets or clears the name that all slices of the job share. */
    @CanIgnoreReturnValue
    public abstract Builder sliceName(Optional<String> sliceName);

    /** Sets before when it is not to be tried again. */
    @CanIgnoreReturnValue
    public abstract Builder requeueAt(Instant requeueAt);

    /** Sets or clears before when it is not to be tried again. */
    @CanIgnoreReturnValue
    public abstract Builder requeueAt(Optional<? extends Instant> requeueAt);

    /** Sets whether it may be tried again after an eviction. */
    @CanIgnoreReturnValue
    public abstract Builder requeued(boolean requeued);

    /** Sets how long it may be admitted altogether. */
    @CanIgnoreReturnValue
    public abstract Builder maximumExecutionTime(Duration time);

    /** Sets or clears how long it may be admitted altogether. */
    @CanIgnoreReturnValue
    public abstract Builder maximumExecutionTime(Optional<? extends Duration> time);

    /** Adds reasons why its pods could not be created. */
    @CanIgnoreReturnValue
    public abstract Builder addAllAdmissibilityProblems(Iterable<String> problems);

    /** Sets the reasons why its pods could not be created, instead of those added so far. */
    @CanIgnoreReturnValue
    public abstract Builder admissibilityProblems(Iterable<String> problems);

    /** Adds what {@code workload} has; what it leaves out stays. */
    @CanIgnoreReturnValue
    public abstract Builder from(Workload workload);

    /** {@return the workload} */
    public abstract Workload build();
  }
}
