package io.kueue4j.core.model;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.resource.Amount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.immutables.value.Value;

/**
 * The pods of one job, which are admitted together or not at all.
 *
 * <p>Kueue: {@code Workload.spec} and metadata. What has happened to the workload is in its
 * {@link WorkloadStatus}. Rules: M-28, M-32, L-1, E-2, T-87 and section 2.6 of the rule index.
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class Workload {
  Workload() {}

  /**
   * {@return a new builder; namespace, name and queueName are required; an engine rejects a
   * workload without pod sets}
   */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a workload with these pod sets and defaults for everything else} */
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
   * {@return the unique id, which orders workloads that are equal otherwise; {@code namespace/name}
   * by default}
   */
  @Value.Default
  public String uid() {
    return namespace() + "/" + name();
  }

  /** {@return the LocalQueue, in the workload's namespace} */
  public abstract String queueName();

  /**
   * {@return the priority, overridden by the value of {@link #priorityClass()}; higher goes first}
   */
  @Value.Default
  public int priority() {
    return 0;
  }

  /**
   * {@return the {@link WorkloadPriorityClass} whose value is the priority, as long as that class
   * exists}
   */
  public abstract Optional<String> priorityClass();

  /** {@return the amount added to the priority if the feature gate {@code PriorityBoost} is on} */
  @Value.Default
  public int priorityBoost() {
    return 0;
  }

  /**
   * {@return the creation time, truncated to whole seconds (rule U-6); the time of submission if
   * absent}
   */
  public abstract Optional<Instant> creationTime();

  /** {@return the pod sets, 1 to 18} */
  public abstract List<PodSet> podSets();

  /**
   * {@return the total requests of all pods, by resource: milli-units of cpu, whole units of
   * everything else}
   */
  public SortedMap<String, Long> totalRequests() {
    NavigableMap<String, Long> totals = new TreeMap<>();
    for (PodSet podSet : podSets()) {
      podSet
          .requests()
          .forEach((resource, amount) ->
              totals.merge(resource, Amount.multiply(amount, podSet.count()), Amount::add));
    }
    return ImmutableSortedMap.copyOfSorted(totals);
  }

  /** {@return whether the workload may be queued; true by default} */
  @Value.Default
  public boolean active() {
    return true;
  }

  /** {@return the admission gates; the workload is queued when there is none} */
  @Value.NaturalOrder
  public abstract SortedSet<String> admissionGates();

  /**
   * {@return the preemption gates. A workload preempts others only while all its gates are open;
   * gates are closed at first and after every eviction. Used with the feature gate
   * {@code ConcurrentAdmission} or {@code MultiKueueOrchestratedPreemption} (rule L-25)}
   */
  @Value.NaturalOrder
  public abstract SortedSet<String> preemptionGates();

  /**
   * {@return the only flavors on which the workload may be admitted, empty for all; used with the
   * feature gate {@code ConcurrentAdmission} (rule F-9)}
   */
  @Value.NaturalOrder
  public abstract SortedSet<String> allowedFlavors();

  /**
   * {@return whether the number of pods may change while the workload holds quota: down by an
   * update, up by another workload that {@linkplain #replaces replaces} it (rules E-1 and E-2)}
   */
  @Value.Default
  public boolean elastic() {
    return false;
  }

  /**
   * {@return the elastic slice of the same job that this workload replaces: it holds quota and
   * finishes as soon as this workload is admitted, so only the difference is requested (rules E-2,
   * E-5 and E-6)}
   */
  public abstract Optional<WorkloadId> replaces();

  /**
   * {@return the name that all elastic slices of a job share: the name of the first one}
   *
   * <p>Not needed for slices that replace each other directly; needed when the slice that links two
   * others is gone. Of several slices of a job one continues (rule E-8).
   */
  public abstract Optional<String> sliceName();

  /**
   * {@return whether the workload is a single plain pod in no group: it ends with the pod, and the
   * pod cannot move to another node (rule T-87)}
   */
  @Value.Default
  public boolean ownedBySinglePod() {
    return false;
  }

  /**
   * {@return the total time that the workload may be admitted before it is deactivated, at least
   * one second; absent for no limit (rule L-21)}
   */
  public abstract Optional<Duration> maximumExecutionTime();

  /**
   * {@return how long the workload is expected to run from its admission on, more than 0; absent if
   * only {@link #maximumExecutionTime()} says it, as an upper bound, or nothing does}
   *
   * <p>Promised starts depend on it, and nothing else; see
   * {@link io.kueue4j.core.decision.Settings#backfill}. It is a guess: of the user, or of whatever
   * the caller asks before it submits the workload.
   */
  public abstract Optional<Duration> expectedDuration();

  /**
   * {@return the time after which the workload writes a checkpoint each time it has run so long,
   * from which it goes on after a preemption; absent if it begins anew. More than 0. Only the
   * {@linkplain PreemptionLimits#victimCost cost of victims} depends on it}
   */
  public abstract Optional<Duration> checkpointInterval();

  /**
   * {@return the reasons, in words, why the pods could not be created, such as requests above
   * limits or violations of a LimitRange}
   *
   * <p>They follow from the pod templates, which the caller knows and pod sets only summarize. Like
   * these they are known before the workload is submitted, and are in no status. The workload is
   * inadmissible as long as there are any (rule R-9).
   */
  public abstract List<String> admissibilityProblems();

  /** Builds {@link Workload}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutableWorkload.Builder {
    Builder() {}
  }
}
