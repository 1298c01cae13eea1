package io.kueue4j.k8s.internal.kueue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.pod.PodTemplates;
import org.assertj.core.api.AbstractThrowableAssert;

/** Workloads of Kueue's API in YAML, and how they are read. */
final class WorkloadManifests {
  private WorkloadManifests() {}

  static Manifest manifest(String text) {
    return ManifestReader.create()
        .read(ManifestSource.of("workload.yaml", text))
        .items()
        .get(0);
  }

  static ImportedWorkload read(String text) {
    return new WorkloadReader(PodTemplates.plain()).read(manifest(text));
  }

  static AbstractThrowableAssert<?, ?> assertProblem(String text) {
    return assertThatThrownBy(() -> read(text)).isInstanceOf(ManifestException.class);
  }

  static final String TEMPLATE =
      "template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi}}}]}}";

  static final String MINIMAL = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata: {name: job-a}
      spec:
        queueName: main
        podSets:
        - {TEMPLATE}
      """.replace("TEMPLATE", TEMPLATE);

  static final String FULL = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata:
        name: job-a
        namespace: team
        uid: 0a1b
        creationTimestamp: "2026-01-31T12:00:00Z"
        annotations:
          kueue.x-k8s.io/admission-gated-by: "b.com/x, a.com/y,"
          kueue.x-k8s.io/priority-boost: "+5"
          kueue4j.io/expected-duration: PT2H
      spec:
        queueName: main
        priority: 100
        priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}
        active: false
        podSets:
        - name: driver
          TEMPLATE
          topologyRequest: {podSetGroupName: together}
        - name: workers
          count: 4
          minCount: 2
          TEMPLATE
      status:
        admission:
          clusterQueue: research
          podSetAssignments:
          - {name: driver, flavors: {cpu: spot}, resourceUsage: {cpu: 1, memory: 1Gi}}
          - name: workers
            count: 3
            flavors: {cpu: spot, memory: spot}
            resourceUsage: {cpu: 3000m, memory: 3Gi}
        conditions:
        - {type: QuotaReserved, status: "True", lastTransitionTime: 2026-01-31T13:00:05+01:00, reason: QuotaReserved}
        - {type: Requeued, status: "False", lastTransitionTime: "2026-01-31T11:00:00Z"}
        reclaimablePods: [{name: workers, count: 1}]
        requeueState: {count: 2, requeueAt: "2026-01-31T12:30:00Z"}
      """.replace("TEMPLATE", TEMPLATE);
}
