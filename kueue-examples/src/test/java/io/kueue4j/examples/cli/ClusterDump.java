package io.kueue4j.examples.cli;

/** The objects of a cluster with jobs in all states, as {@code kubectl get -o yaml} prints them. */
final class ClusterDump {
  /** Two flavors of 4 cores: the jobs that run hold all of {@code spot} and 3 of {@code fixed}. */
  static final String QUEUES = """
      ---
      apiVersion: v1
      kind: Namespace
      metadata: {name: team-a, labels: {kubernetes.io/metadata.name: team-a}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: spot}
      spec: {nodeLabels: {cloud: spot}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: fixed}
      spec: {nodeLabels: {cloud: fixed}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: team-a}}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - {name: spot, resources: [{name: cpu, nominalQuota: 4}]}
          - {name: fixed, resources: [{name: cpu, nominalQuota: 4}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: lq, namespace: team-a}
      spec: {clusterQueue: research}
      """;

  /** Jobs without their Workloads. */
  static final String JOBS = job("done", "suspend: false", """
          startTime: "2026-01-31T11:00:00Z"
          succeeded: 1
          conditions:
          - {type: Complete, status: "True", lastTransitionTime: "2026-01-31T11:30:00Z"}
      """)
      + job("running", "suspend: false", """
          startTime: "2026-01-31T11:40:00Z"
          active: 1
          ready: 1
      """)
          .replace("restartPolicy", "nodeSelector: {cloud: fixed}\n      restartPolicy")
      + job("waiting", "suspend: true", "    {}\n");

  /** Workloads with their status. */
  static final String WORKLOADS = workload("admitted", "spot", 4, """
            - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: Quota reserved in ClusterQueue research, lastTransitionTime: "2026-01-31T11:45:00Z"}
            - {type: Admitted, status: "True", reason: Admitted, message: The workload is admitted, lastTransitionTime: "2026-01-31T11:45:00Z"}
            - {type: PodsReady, status: "True", reason: Started, message: All pods are ready, lastTransitionTime: "2026-01-31T11:46:00Z"}
      """)
      + workload("evicted", "fixed", 2, """
            - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: Quota reserved in ClusterQueue research, lastTransitionTime: "2026-01-31T11:45:00Z"}
            - {type: Admitted, status: "True", reason: Admitted, message: The workload is admitted, lastTransitionTime: "2026-01-31T11:45:00Z"}
            - {type: Evicted, status: "True", reason: PodsReadyTimeout, message: Exceeded the PodsReady timeout, lastTransitionTime: "2026-01-31T11:59:00Z"}
          requeueState: {count: 1, requeueAt: "2026-01-31T13:00:00Z"}
      """)
      + workload("backed-off", "", 1, """
            - {type: QuotaReserved, status: "False", reason: Pending, message: Exceeded the PodsReady timeout, lastTransitionTime: "2026-01-31T11:58:00Z"}
            - {type: Evicted, status: "True", reason: PodsReadyTimeout, message: Exceeded the PodsReady timeout, lastTransitionTime: "2026-01-31T11:58:00Z"}
            - {type: Requeued, status: "False", reason: PodsReadyTimeout, message: Exceeded the PodsReady timeout, lastTransitionTime: "2026-01-31T11:58:00Z"}
          requeueState: {count: 2, requeueAt: "2026-01-31T13:00:00Z"}
      """)
      + workload("pending", "", 5, """
            - {type: QuotaReserved, status: "False", reason: Pending, message: no room, lastTransitionTime: "2026-01-31T11:50:00Z"}
      """)
      + workload("finished", "spot", 4, """
            - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: Quota reserved in ClusterQueue research, lastTransitionTime: "2026-01-31T10:00:00Z"}
            - {type: Admitted, status: "True", reason: Admitted, message: The workload is admitted, lastTransitionTime: "2026-01-31T10:00:00Z"}
            - {type: Finished, status: "True", reason: Succeeded, message: Job finished successfully, lastTransitionTime: "2026-01-31T10:30:00Z"}
      """)
      + workload("inactive", "", 1, """
            - {type: QuotaReserved, status: "False", reason: Inactive, message: The workload is deactivated, lastTransitionTime: "2026-01-31T11:50:00Z"}
            - {type: Evicted, status: "True", reason: Deactivated, message: The workload is deactivated, lastTransitionTime: "2026-01-31T11:50:00Z"}
      """).replace("active: true", "active: false");

  private ClusterDump() {}

  /** {@return a Job of one pod with one core} */
  static String job(String name, String spec, String status) {
    return """
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %1$s
          namespace: team-a
          uid: uid-of-%1$s
          creationTimestamp: "2026-01-31T09:00:00Z"
          labels: {kueue.x-k8s.io/queue-name: lq}
        spec:
          %2$s
          template:
            spec:
              restartPolicy: Never
              containers:
              - name: main
                image: registry.example.com/secret-project
                env: [{name: TOKEN, value: hush}]
                resources: {requests: {cpu: 1}}
        status:
        %3$s""".formatted(name, spec, status.replaceAll("(?m)^    ", "  "));
  }

  /** {@return the Workload of a Job with one pod of so many cores} */
  static String workload(String name, String flavor, int cores, String conditions) {
    String admission = flavor.isEmpty() ? "" : """
          admission:
            clusterQueue: research
            podSetAssignments:
            - {name: main, count: 1, flavors: {cpu: %1$s}, resourceUsage: {cpu: "%2$d"}}
        """.formatted(flavor, cores);
    return """
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata:
          name: job-%1$s-abcde
          namespace: team-a
          uid: uid-of-workload-%1$s
          creationTimestamp: "2026-01-31T09:30:00Z"
          ownerReferences:
          - {apiVersion: batch/v1, kind: Job, name: %1$s, uid: uid-of-%1$s, controller: true, blockOwnerDeletion: true}
        spec:
          active: true
          queueName: lq
          podSets:
          - name: main
            count: 1
            template: {spec: {restartPolicy: Never, containers: [{name: main, image: i, resources: {requests: {cpu: %2$d}}}]}}
        status:
        %3$s  conditions:
        %4$s""".formatted(name, cores, admission, conditions.replaceAll("(?m)^    ", "  "));
  }
}
