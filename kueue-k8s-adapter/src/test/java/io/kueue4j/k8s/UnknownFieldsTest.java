package io.kueue4j.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnknownFieldsTest {
  private static List<String> notes(String manifest) {
    return ManifestReader.create().read(ManifestSource.of("file.yaml", manifest)).notes().stream()
        .map(ManifestIssue::toString)
        .toList();
  }

  @Test
  void fieldsOfJobSetsAreCheckedAtEveryDepth() {
    assertThat(notes("""
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: train, labels: {kueue.x-k8s.io/queue-name: queue}}
                spec:
                  failurePolcy: {maxRestarts: 4}
                  network: {subdomain: any, whatever: kept}
                  replicatedJobs:
                  - name: slice
                    template:
                      spec:
                        template:
                          spec:
                            containers:
                            - name: main
                              resorces: {limits: {google.com/tpu: 4}}
                """))
        .containsExactly(
            "file.yaml: document 1, line 5, column 3: spec.failurePolcy: unknown field; did you mean"
                + " \"failurePolicy\"?",
            "file.yaml: document 1, line 15, column 15: "
                + "spec.replicatedJobs[0].template.spec.template.spec.containers[0].resorces:"
                + " unknown field; did you mean \"resources\"?");
  }

  @Test
  void keysOfMapsAreNotFields() {
    assertThat(notes("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: train, labels: {kueue.x-k8s.io/queue-name: queue, any: label}}
                spec:
                  template:
                    spec:
                      nodeSelector: {any: value}
                      containers:
                      - {name: main, resources: {limits: {example.com/any: 1}}}
                """)).isEmpty();
  }

  @Test
  void aPreferenceThatTheApiServerWouldRefuseIsNoted() {
    assertThat(notes("""
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ClusterQueue
                metadata: {name: research}
                spec:
                  flavorFungibility: {preference: PreemptionOverBorrowing}
                """))
        .singleElement()
        .asString()
        .contains("line 5")
        .contains("spec.flavorFungibility.preference")
        .contains("whenCanBorrow and whenCanPreempt both TryNextFlavor");
  }
}
