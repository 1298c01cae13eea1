package consumer;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.HarnessRun;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.ManifestSource;

/** Starts a Job from text and plays the test harness, to show that the class path is complete. */
public final class Main {
  private static final String OBJECTS = """
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ResourceFlavor
      metadata: {name: on-demand}
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ClusterQueue
      metadata: {name: team}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - name: on-demand
            resources:
            - {name: cpu, nominalQuota: 2}
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: LocalQueue
      metadata: {name: main, namespace: default}
      spec: {clusterQueue: team}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: sample
        namespace: default
        labels: {kueue.x-k8s.io/queue-name: main}
      spec:
        suspend: true
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: sample
              resources: {requests: {cpu: 1}}
      """;

  private Main() {}

  public static void main(String[] arguments) {
    KubernetesAdmission admission = KubernetesAdmission.create();
    admission.apply(ManifestSource.of("objects.yaml", OBJECTS)).throwIfRefused();
    Decisions decisions = admission.engine().runUntilStable(100).decisions();
    WorkloadId workload = decisions.admitted().get(0).workload();
    HasMetadata job = admission.start(workload);
    System.out.println("suspend: " + ((Job) job).getSpec().getSuspend());

    boolean passed = HarnessRun.of(AdmissionEngineUnderTest::create)
        .steps(100)
        .run()
        .failure()
        .isEmpty();
    System.out.println("harness: " + (passed ? "passed" : "failed"));
  }
}
