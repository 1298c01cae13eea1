package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableListMultimap;

/** Workloads as Kueue writes them, in all states. */
final class KueueWorkloads {
  private static final String RESERVED =
      condition("QuotaReserved", "True", "QuotaReserved", "11:00:00");
  private static final String ADMITTED =
      RESERVED + condition("Admitted", "True", "Admitted", "11:00:01");
  private static final String WAITS = condition("QuotaReserved", "False", "Pending", "11:10:00");

  private KueueWorkloads() {}

  /** The Workloads by the status that they are to have. */
  static ImmutableListMultimap<String, String> byState() {
    String spot = admission("spot", 2, "");
    return ImmutableListMultimap.<String, String>builder()
        .put("Pending", workload("untouched", 1, "", "{}").replace("{}", ""))
        .put("Pending", workload("waits", 30, "", "conditions:\n" + WAITS))
        .put(
            "Reserved",
            workload("reserved", 1, "", spot + "conditions:\n" + RESERVED + """
            admissionChecks:
            - {name: budget, state: Pending, message: m, lastTransitionTime: "2026-01-31T11:00:00Z"}
            """)
                .replace("queueName: wide", "queueName: checked")
                .replace("clusterQueue: wide", "clusterQueue: checked"))
        .put(
            "Admitted",
            workload(
                "runs",
                1,
                "",
                spot + "conditions:\n" + ADMITTED
                    + condition("PodsReady", "False", "WaitForStart", "11:00:01")))
        .put(
            "Admitted",
            workload(
                "ready",
                1,
                "",
                spot + "conditions:\n" + ADMITTED
                    + condition("PodsReady", "True", "Started", "11:01:00") + """
            reclaimablePods: [{name: main, count: 1}]
            accumulatedPastExecutionTimeSeconds: 30
            schedulingStats: {evictions: [{reason: Preempted, underlyingCause: "", count: 2}]}
            """))
        .put(
            "Admitted",
            workload(
                    "placed",
                    1,
                    "",
                    admission("placed", 2, """
            , topologyAssignment: {levels: [kubernetes.io/hostname], slices: [
              {domainCount: 2, valuesPerLevel: [{individual: {prefix: node-, roots: ["1", "2"]}}], podCounts: {universal: 1}}]}""").replace("clusterQueue: wide", "clusterQueue: racks")
                        + "conditions:\n" + ADMITTED)
                .replace("queueName: wide", "queueName: racks")
                .replace(
                    "    template:",
                    "    topologyRequest: {required: example.com/rack}\n    template:"))
        .put(
            "Stopping",
            workload(
                "preempted",
                1,
                "",
                spot + "conditions:\n" + ADMITTED
                    + condition("Evicted", "True", "Preempted", "11:20:00")
                    + condition("Preempted", "True", "InClusterQueue", "11:20:00")))
        .put(
            "Pending",
            workload(
                "backed-off",
                1,
                "",
                "conditions:\n" + WAITS
                    + condition("Admitted", "False", "NoReservation", "11:10:00")
                    + condition("Evicted", "True", "PodsReadyTimeout", "11:10:00")
                    + condition("Requeued", "False", "PodsReadyTimeout", "11:10:00")
                    + "requeueState: {count: 2, requeueAt: \"2099-01-31T13:00:00Z\"}\n"))
        .put(
            "Pending",
            workload(
                    "deactivated",
                    1,
                    "",
                    "conditions:\n" + WAITS
                        + condition(
                            "Evicted",
                            "True",
                            "DeactivatedDueToRequeuingLimitExceeded",
                            "11:10:00"))
                .replace("active: true", "active: false"))
        .put(
            "Finished",
            workload(
                "succeeded",
                1,
                "",
                spot + "conditions:\n" + ADMITTED
                    + condition("Finished", "True", "Succeeded", "11:30:00")))
        .put(
            "Finished",
            workload(
                "failed",
                1,
                "",
                spot + "conditions:\n" + ADMITTED
                    + condition("Finished", "True", "Failed", "11:30:00")))
        .build();
  }

  /** {@return a Workload with one pod set, as Kueue writes it} */
  private static String workload(String name, int cores, String more, String status) {
    return """
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata:
          name: job-%1$s-abcde
          namespace: default
          finalizers: [kueue.x-k8s.io/resource-in-use]
          labels: {kueue.x-k8s.io/job-uid: 3f1d0000-0000-0000-0000-00000000abcd}
          ownerReferences:
          - {apiVersion: batch/v1, kind: Job, name: %1$s, uid: "uid-of-%1$s", controller: true, blockOwnerDeletion: true}
        spec:
          active: true
          queueName: wide
          priority: 0
          podSets:
          - name: main
            count: 2
            template:
              metadata: {labels: {app: a}}
              spec: {restartPolicy: Never, containers: [{name: main, image: i, resources: {requests: {cpu: "%2$d"}}}]}
        %3$s
        status:
          resourceRequests: [{name: main, resources: {cpu: "%2$d"}}]
        %4$s""".formatted(name, cores, more, status.indent(2));
  }

  private static String admission(String flavor, int cores, String more) {
    return """
        admission:
          clusterQueue: wide
          podSetAssignments:
          - {name: main, count: 2, flavors: {cpu: %s}, resourceUsage: {cpu: "%d"}%s}
        """.formatted(flavor, cores, more);
  }

  private static String condition(String type, String status, String reason, String time) {
    return """
        - {type: %s, status: "%s", reason: %s, message: m, observedGeneration: 1, lastTransitionTime: "2026-01-31T%sZ"}
        """.formatted(type, status, reason, time);
  }
}
