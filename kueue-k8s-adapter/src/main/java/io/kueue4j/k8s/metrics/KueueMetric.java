package io.kueue4j.k8s.metrics;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Ascii;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.Arrays;
import java.util.List;

/**
 * The metrics of Kueue that {@link KueueMetrics} writes, with their names, labels and buckets.
 * Metrics of promised starts, which Kueue does not have, have names with {@code kueue4j_}.
 *
 * <p>Amounts of cpu are in cores, all others in units. The metrics of MultiKueue
 * ({@code multikueue_workloads_dispatched_total} and {@code multikueue_workloads_admitted_total})
 * are absent, because an engine does not dispatch workloads to other clusters.
 *
 * @since 0.1.0
 */
public enum KueueMetric {
  ADMISSION_ATTEMPTS_TOTAL(
      Type.COUNTER,
      Group.HEALTH,
      "Scheduling cycles that had something to try: success if at least one workload "
          + "was assigned quota, else inadmissible.",
      "result"),
  ADMISSION_ATTEMPT_DURATION_SECONDS(
      Buckets.DEFAULT,
      Group.HEALTH,
      "How long scheduling cycles took that had something to try.",
      "result"),
  WORKLOAD_CREATION_LATENCY_SECONDS(
      Buckets.CREATION,
      Group.HEALTH,
      "Time from the creation of a job to the creation of its workload.",
      "job_kind"),
  POD_SCHEDULING_GATE_REMOVAL_SECONDS(
      Buckets.DEFAULT,
      Group.HEALTH,
      "Time from the admission of a workload to the removal of a scheduling gate of one "
          + "of its pods.",
      "name cluster_queue is_group"),
  ADMISSION_CYCLE_PREEMPTION_SKIPS(
      Type.GAUGE,
      Group.CLUSTER_QUEUE,
      "Workloads that had whom to preempt and were passed over because others needed the same, "
          + "in the last cycle in which there were any.",
      "cluster_queue"),
  PREEMPTION_TARGET_RECOMPUTATIONS_TOTAL(
      Type.COUNTER,
      Group.CLUSTER_QUEUE,
      "Workloads that had to look for other victims, because theirs were preempted for others "
          + "in the same cycle: new_targets, deferred_fit or skipped.",
      "cluster_queue result"),
  BUILD_INFO(
      Type.GAUGE,
      Group.HEALTH,
      "1, with what is running; go_version is the version of Java, compiler the virtual machine.",
      "git_version git_commit build_date go_version compiler platform"),
  PENDING_WORKLOADS(
      Type.GAUGE,
      Group.CLUSTER_QUEUE,
      "Workloads that wait: active ones are tried when their turn comes, inadmissible "
          + "ones when something changes.",
      "cluster_queue status"),
  PENDING_SCHEDULING_HASHES(
      Type.GAUGE,
      Group.CLUSTER_QUEUE,
      "Distinct shapes of pending workloads.",
      "cluster_queue status"),
  UNADMITTED_WORKLOADS(
      Type.GAUGE,
      Group.CLUSTER_QUEUE,
      "Workloads that are not admitted, by reason of the conditions Admitted and "
          + "QuotaReserved.",
      "cluster_queue reason underlying_cause"),
  FINISHED_WORKLOADS(
      Type.GAUGE, Group.CLUSTER_QUEUE, "Finished workloads that still exist.", "cluster_queue"),
  RESERVING_ACTIVE_WORKLOADS(
      Type.GAUGE, Group.CLUSTER_QUEUE, "Workloads with reserved quota.", "cluster_queue"),
  ADMITTED_ACTIVE_WORKLOADS(
      Type.GAUGE, Group.CLUSTER_QUEUE, "Admitted workloads.", "cluster_queue"),
  QUOTA_RESERVED_WORKLOADS_TOTAL(
      Type.COUNTER,
      Group.CLUSTER_QUEUE,
      "Workloads whose quota was reserved.",
      "cluster_queue priority_class"),
  QUOTA_RESERVED_WAIT_TIME_SECONDS(
      Buckets.WAITING,
      Group.CLUSTER_QUEUE,
      "Time from the creation of a workload, or since it was queued again, until it was "
          + "given quota.",
      "cluster_queue priority_class"),
  ADMITTED_WORKLOADS_TOTAL(
      Type.COUNTER,
      Group.CLUSTER_QUEUE,
      "Workloads that were admitted.",
      "cluster_queue priority_class"),
  ADMISSION_WAIT_TIME_SECONDS(
      Buckets.LONG,
      Group.CLUSTER_QUEUE,
      "Time from the creation of a workload, or since it was queued again, until it was "
          + "admitted.",
      "cluster_queue priority_class"),
  ADMISSION_CHECKS_WAIT_TIME_SECONDS(
      Buckets.WAITING,
      Group.CLUSTER_QUEUE,
      "Time from when a workload was assigned quota until it was admitted, if it had to "
          + "pass admission checks.",
      "cluster_queue priority_class"),
  FINISHED_WORKLOADS_TOTAL(
      Type.COUNTER,
      Group.CLUSTER_QUEUE,
      "Workloads that have finished.",
      "cluster_queue priority_class"),
  EXECUTION_TIME_SECONDS(
      Buckets.LONG,
      Group.CLUSTER_QUEUE,
      "Total execution time of finished workloads.",
      "cluster_queue priority_class"),
  EVICTED_WORKLOADS_TOTAL(
      Type.COUNTER,
      Group.CLUSTER_QUEUE,
      "Workloads that were evicted.",
      "cluster_queue reason underlying_cause priority_class"),
  EVICTED_WORKLOADS_ONCE_TOTAL(
      Type.COUNTER,
      Group.CLUSTER_QUEUE,
      "Workloads that were evicted for the first time with that reason and cause.",
      "cluster_queue reason underlying_cause priority_class"),
  PREEMPTED_WORKLOADS_TOTAL(
      Type.COUNTER,
      Group.CLUSTER_QUEUE,
      "Workloads that were preempted by workloads of that ClusterQueue.",
      "preempting_cluster_queue reason"),
  WORKLOAD_EVICTION_LATENCY_SECONDS(
      Buckets.WAITING,
      Group.CLUSTER_QUEUE,
      "Time from the eviction of a workload until it had stopped.",
      "cluster_queue reason"),
  PODS_READY_TO_EVICTED_TIME_SECONDS(
      Buckets.WAITING,
      Group.CLUSTER_QUEUE,
      "Time from the readiness of the pods of a workload until its eviction.",
      "cluster_queue reason underlying_cause"),
  REPLACED_WORKLOAD_SLICES_TOTAL(
      Type.COUNTER,
      Group.CLUSTER_QUEUE,
      "Elastic slices that were replaced by others.",
      "cluster_queue"),
  CLUSTER_QUEUE_STATUS(
      Type.GAUGE,
      Group.CLUSTER_QUEUE,
      "1 for the status of the ClusterQueue, 0 for the others.",
      "cluster_queue status"),
  CLUSTER_QUEUE_INFO(
      Type.GAUGE,
      Group.CLUSTER_QUEUE,
      "1 for each ClusterQueue, with its place among the cohorts.",
      "cluster_queue parent_cohort root_cohort"),
  CLUSTER_QUEUE_WEIGHTED_SHARE(
      Type.GAUGE,
      Group.CLUSTER_QUEUE,
      "How much the ClusterQueue borrows of what its cohort could lend, in thousandths, "
          + "divided by its weight; not a number if it borrows without weight.",
      "cluster_queue cohort"),
  CLUSTER_QUEUE_RESOURCE_PENDING(
      Type.GAUGE,
      Group.CLUSTER_QUEUE_RESOURCES,
      "Requests of pending workloads.",
      "cluster_queue resource"),
  CLUSTER_QUEUE_RESOURCE_RESERVATION(
      Type.GAUGE,
      Group.CLUSTER_QUEUE_RESOURCES,
      "Reserved quota.",
      "cohort cluster_queue flavor resource"),
  CLUSTER_QUEUE_RESOURCE_USAGE(
      Type.GAUGE,
      Group.CLUSTER_QUEUE_RESOURCES,
      "Quota used by admitted workloads.",
      "cohort cluster_queue flavor resource"),
  CLUSTER_QUEUE_NOMINAL_QUOTA(
      Type.GAUGE,
      Group.CLUSTER_QUEUE_RESOURCES,
      "Nominal quotas.",
      "cohort cluster_queue flavor resource"),
  CLUSTER_QUEUE_BORROWING_LIMIT(
      Type.GAUGE,
      Group.CLUSTER_QUEUE_RESOURCES,
      "Borrowing limits, infinite for none.",
      "cohort cluster_queue flavor resource"),
  CLUSTER_QUEUE_LENDING_LIMIT(
      Type.GAUGE,
      Group.CLUSTER_QUEUE_RESOURCES,
      "Lending limits, infinite for none.",
      "cohort cluster_queue flavor resource"),
  READY_WAIT_TIME_SECONDS(
      Buckets.WAITING,
      Group.PODS_READY,
      "Time from the creation of a workload, or since it was queued again, until its "
          + "pods were ready for the first time.",
      "cluster_queue priority_class"),
  ADMITTED_UNTIL_READY_WAIT_TIME_SECONDS(
      Buckets.WAITING,
      Group.PODS_READY,
      "Time from when a workload was admitted until its pods were ready for the first " + "time.",
      "cluster_queue priority_class"),
  LOCAL_QUEUE_PENDING_WORKLOADS(
      Type.GAUGE, Group.LOCAL_QUEUE, "Pending workloads.", "name namespace status"),
  LOCAL_QUEUE_UNADMITTED_WORKLOADS(
      Type.GAUGE,
      Group.LOCAL_QUEUE,
      "Workloads that are not admitted, as unadmitted_workloads.",
      "name namespace cluster_queue reason underlying_cause"),
  LOCAL_QUEUE_FINISHED_WORKLOADS(
      Type.GAUGE, Group.LOCAL_QUEUE, "Finished workloads that still exist.", "name namespace"),
  LOCAL_QUEUE_RESERVING_ACTIVE_WORKLOADS(
      Type.GAUGE, Group.LOCAL_QUEUE, "Workloads with reserved quota.", "name namespace"),
  LOCAL_QUEUE_ADMITTED_ACTIVE_WORKLOADS(
      Type.GAUGE, Group.LOCAL_QUEUE, "Admitted workloads.", "name namespace"),
  LOCAL_QUEUE_QUOTA_RESERVED_WORKLOADS_TOTAL(
      Type.COUNTER,
      Group.LOCAL_QUEUE,
      "Workloads whose quota was reserved.",
      "name namespace priority_class"),
  LOCAL_QUEUE_QUOTA_RESERVED_WAIT_TIME_SECONDS(
      Buckets.WAITING,
      Group.LOCAL_QUEUE,
      "Time until quota was reserved for workloads.",
      "name namespace priority_class"),
  LOCAL_QUEUE_ADMITTED_WORKLOADS_TOTAL(
      Type.COUNTER,
      Group.LOCAL_QUEUE,
      "Workloads that were admitted.",
      "name namespace priority_class"),
  LOCAL_QUEUE_ADMISSION_WAIT_TIME_SECONDS(
      Buckets.WAITING,
      Group.LOCAL_QUEUE,
      "Time until workloads were admitted.",
      "name namespace priority_class"),
  LOCAL_QUEUE_ADMISSION_CHECKS_WAIT_TIME_SECONDS(
      Buckets.WAITING,
      Group.LOCAL_QUEUE,
      "Time from when workloads were assigned quota until they were admitted, if they had "
          + "to pass admission checks.",
      "name namespace priority_class"),
  LOCAL_QUEUE_READY_WAIT_TIME_SECONDS(
      Buckets.WAITING,
      Group.LOCAL_QUEUE,
      "Time until the pods of workloads were ready for the first time.",
      "name namespace priority_class"),
  LOCAL_QUEUE_ADMITTED_UNTIL_READY_WAIT_TIME_SECONDS(
      Buckets.WAITING,
      Group.LOCAL_QUEUE,
      "Time from when workloads were admitted until their pods were ready for the first " + "time.",
      "name namespace priority_class"),
  LOCAL_QUEUE_FINISHED_WORKLOADS_TOTAL(
      Type.COUNTER,
      Group.LOCAL_QUEUE,
      "Workloads that have finished.",
      "name namespace priority_class"),
  LOCAL_QUEUE_EXECUTION_TIME_SECONDS(
      Buckets.LONG,
      Group.LOCAL_QUEUE,
      "Total execution time of finished workloads.",
      "name namespace priority_class"),
  LOCAL_QUEUE_EVICTED_WORKLOADS_TOTAL(
      Type.COUNTER,
      Group.LOCAL_QUEUE,
      "Workloads that were evicted.",
      "name namespace reason underlying_cause priority_class"),
  LOCAL_QUEUE_STATUS(
      Type.GAUGE,
      Group.LOCAL_QUEUE,
      "1 for whether the LocalQueue is active, 0 for the others.",
      "name namespace active"),
  LOCAL_QUEUE_RESOURCE_RESERVATION(
      Type.GAUGE, Group.LOCAL_QUEUE, "Reserved quota.", "name namespace flavor resource"),
  LOCAL_QUEUE_RESOURCE_USAGE(
      Type.GAUGE,
      Group.LOCAL_QUEUE,
      "Quota used by admitted workloads.",
      "name namespace flavor resource"),
  LOCAL_QUEUE_ADMISSION_FAIR_SHARING_USAGE(
      Type.GAUGE,
      Group.LOCAL_QUEUE,
      "Usage of the LocalQueue for admission fair sharing.",
      "name namespace cluster_queue"),
  COHORT_INFO(
      Type.GAUGE,
      Group.COHORT,
      "1 for each cohort, with its place among the others.",
      "cohort parent_cohort root_cohort"),
  COHORT_WEIGHTED_SHARE(
      Type.GAUGE,
      Group.COHORT,
      "How much the cohort borrows, as cluster_queue_weighted_share.",
      "cohort"),
  COHORT_SUBTREE_QUOTA(
      Type.GAUGE,
      Group.COHORT,
      "The quota of the cohort and of what stands below it.",
      "cohort flavor resource"),
  COHORT_SUBTREE_RESOURCE_RESERVATIONS(
      Type.GAUGE,
      Group.COHORT,
      "What is held of quotas below the cohort.",
      "cohort flavor resource"),
  COHORT_SUBTREE_ADMITTED_WORKLOADS_TOTAL(
      Type.COUNTER,
      Group.COHORT,
      "Workloads that were admitted below the cohort.",
      "cohort priority_class"),
  COHORT_SUBTREE_ADMITTED_ACTIVE_WORKLOADS(
      Type.GAUGE,
      Group.COHORT,
      "Workloads below the cohort that hold quota and may run.",
      "cohort"),
  PROMISED_WORKLOADS(
      Type.GAUGE, Group.PROMISES, "Waiting workloads that are promised a start.", "cluster_queue"),
  PROMISE_CHANGES_TOTAL(
      Type.COUNTER,
      Group.PROMISES,
      "Promised starts that were made, moved to a later or an earlier time, or withdrawn.",
      "cluster_queue change"),
  PROMISED_STARTS_TOTAL(
      Type.COUNTER,
      Group.PROMISES,
      "Workloads that had been promised a start and were given quota: kept if by the first time "
          + "that they were promised, else late.",
      "cluster_queue result"),
  PROMISE_DELAY_SECONDS(
      Buckets.LONG,
      Group.PROMISES,
      "By how much promised starts moved to a later time.",
      "cluster_queue");

  /** The label of all metrics except {@link #BUILD_INFO}. */
  private static final String ROLE = "replica_role";

  private final Type type;
  private final Group group;
  private final String help;
  private final ImmutableList<Double> buckets;
  private final ImmutableList<String> labels;

  KueueMetric(Type type, Group group, String help, String labels) {
    this(type, ImmutableList.of(), group, help, labels);
  }

  KueueMetric(ImmutableList<Double> buckets, Group group, String help, String labels) {
    this(Type.HISTOGRAM, buckets, group, help, labels);
  }

  /** Creates a metric; {@code labels} are the names of its labels, separated by spaces. */
  KueueMetric(Type type, ImmutableList<Double> buckets, Group group, String help, String labels) {
    this.type = type;
    this.group = group;
    this.help = help;
    this.buckets = buckets;
    ImmutableList.Builder<String> all =
        ImmutableList.<String>builder().addAll(Splitter.on(' ').split(labels));
    if (!name().equals("BUILD_INFO")) {
      all.add("replica_role");
    }
    this.labels = all.build();
  }

  /** {@return the name, for example {@code kueue_pending_workloads}} */
  public String metricName() {
    String prefix = group == Group.PROMISES ? "kueue4j_" : "kueue_";
    return prefix + Ascii.toLowerCase(name());
  }

  /** {@return the type} */
  public Type type() {
    return type;
  }

  /** {@return the group} */
  public Group group() {
    return group;
  }

  /** {@return a description for humans} */
  public String help() {
    return help;
  }

  /** {@return the names of its labels, in the order of tags} */
  public List<String> labels() {
    return labels;
  }

  /** {@return the upper bounds of the buckets of a histogram, in seconds; none for other types} */
  public List<Double> buckets() {
    return buckets;
  }

  /** {@return the tags of the series with {@code values} for all labels except the role} */
  ImmutableMap<String, String> tags(KueueMetrics.ReplicaRole role, String... values) {
    boolean hasRole = labels.get(labels.size() - 1).equals(ROLE);
    checkArgument(
        values.length == labels.size() - (hasRole ? 1 : 0),
        "%s has the values %s, expected one for each of %s but the role",
        metricName(),
        Arrays.asList(values),
        labels);
    ImmutableMap.Builder<String, String> tags = ImmutableMap.builder();
    for (int i = 0; i < values.length; i++) {
      tags.put(labels.get(i), values[i]);
    }
    if (hasRole) {
      tags.put(ROLE, role.toString());
    }
    return tags.buildOrThrow();
  }

  /** {@return {@link #metricName()}} */
  @Override
  public String toString() {
    return metricName();
  }

  /** The types of metrics. */
  public enum Type {
    /** Only increases. */
    COUNTER,
    /** Increases and decreases. */
    GAUGE,
    /** Counts observations by size. */
    HISTOGRAM
  }

  /** The groups of metrics that can be switched on and off. */
  public enum Group {
    /** The controller as a whole. */
    HEALTH,
    /** ClusterQueues. */
    CLUSTER_QUEUE,
    /**
     * Quota and usage of ClusterQueues. Kueue:
     * {@code Configuration.metrics.enableClusterQueueResources}.
     */
    CLUSTER_QUEUE_RESOURCES,
    /** Readiness of pods. Kueue: with {@code waitForPodsReady}. */
    PODS_READY,
    /** LocalQueues. Kueue: {@code Configuration.metrics.localQueueMetrics}. */
    LOCAL_QUEUE,
    /** Cohorts. */
    COHORT,
    /**
     * Promised starts, only with {@link io.kueue4j.core.decision.Settings#backfill}. Not in Kueue.
     */
    PROMISES
  }
}
