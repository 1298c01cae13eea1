package io.kueue4j.examples;

/** Manifests that tests read as they are, or with a mistake. */
public final class SampleManifests {
  /** A ResourceFlavor, a ClusterQueue with four cores of it, and a LocalQueue. */
  public static final String QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata:
        name: spot
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata:
        name: research
      spec:
        cohortName: all
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - name: spot
            resources:
            - name: cpu
              nominalQuota: 4
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata:
        name: queue
        namespace: default
      spec:
        clusterQueue: research
      """;

  /** A ResourceFlavor, a ClusterQueue with eight GPUs of it, and a LocalQueue of team-a. */
  public static final String GPU_QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ResourceFlavor
      metadata: {name: a100}
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [nvidia.com/gpu]
          flavors:
          - name: a100
            resources: [{name: nvidia.com/gpu, nominalQuota: 8}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: LocalQueue
      metadata: {name: main, namespace: team-a}
      spec: {clusterQueue: research}
      """;

  /** A Job of one pod with two cores, for the LocalQueue of {@link #QUEUES}. */
  public static final String JOB = """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: train
        labels:
          kueue.x-k8s.io/queue-name: queue
      spec:
        suspend: true
        template:
          spec:
            containers:
            - name: main
              image: busybox
              resources:
                requests:
                  cpu: "2"
            restartPolicy: Never
      """;

  private SampleManifests() {}
}
