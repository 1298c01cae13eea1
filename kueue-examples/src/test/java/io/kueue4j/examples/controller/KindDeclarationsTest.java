package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.cli.KindDeclarations;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.k8s.job.JobKind;
import io.kueue4j.k8s.job.JobPodSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kinds that a file declares. */
class KindDeclarationsTest {
  private static final String KINDS = """
      kinds:
      - apiGroup: example.com
        kind: Sweep
        suspend: spec.paused
        podSets:
        - {name: driver, template: spec.driver, onlyIf: spec.driver}
        - name: trials
          template: spec.template
          count: {path: spec.trials, default: 2}
          times: [{path: spec.hosts}]
          index: example.com/index
        - {list: spec.groups, name: called, template: pods, count: {default: 3}}
        succeeded: [{condition: Complete}]
        failed: [{path: status.phase, values: [Failed, Aborted], message: status.why}]
        active: [{positive: status.running}]
        ready: [{condition: Ready}]
        reclaimable: {trials: status.done}
        priorityClass: spec.class
      """;
  private static final String TEMPLATE =
      "{spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}";

  private final JobKind<GenericKubernetesResource> kind =
      KindDeclarations.read(KINDS).get(0);

  private static GenericKubernetesResource sweep(String spec, String status) {
    return Serialization.unmarshal("""
        apiVersion: example.com/v1
        kind: Sweep
        metadata: {name: s, namespace: default, labels: {kueue.x-k8s.io/queue-name: queue}}
        spec: %s
        status: %s
        """.formatted(spec, status), GenericKubernetesResource.class);
  }

  @Test
  void everyFieldIsReadFromItsPlace() {
    GenericKubernetesResource job = sweep(
        "{paused: true, class: gold, hosts: 2, driver: %s, template: %s, groups: [{called: G, pods: %s}]}"
            .formatted(TEMPLATE, TEMPLATE, TEMPLATE),
        "{running: 1, done: 1, phase: Aborted, why: because, conditions: [{type: Ready, status: 'True'}]}");
    assertThat(kind.isSuspended(job)).isTrue();
    assertThat(kind.podSets(job))
        .extracting(JobPodSet::name)
        .containsExactly("driver", "trials", "g");
    assertThat(kind.podSets(job)).extracting(JobPodSet::count).containsExactly(1, 4, 3);
    assertThat(kind.outcome(job)).contains(new JobKind.Outcome(false, "because"));
    assertThat(kind.isActive(job)).isTrue();
    assertThat(kind.podsReady(job)).isTrue();
    assertThat(kind.reclaimablePods(job)).containsOnly(java.util.Map.entry("trials", 1));
    assertThat(kind.priorityClassName(job)).contains("gold");
  }

  @Test
  void whatIsNotSaidIsAsUsual() {
    JobKind<GenericKubernetesResource> plain = KindDeclarations.read("""
        kinds: [{apiGroup: example.com, kind: Plain,
          podSets: [{name: main, template: spec.template}]}]
        """).get(0);
    GenericKubernetesResource job = sweep("{suspend: true, template: " + TEMPLATE + "}", "{}");
    assertThat(plain.isSuspended(job)).isTrue();
    assertThat(plain.podSets(job)).extracting(JobPodSet::count).containsExactly(1);
    assertThat(plain.outcome(job)).isEmpty();
  }

  @Test
  void aDeclaredKindGoesThroughTheController() {
    PodScene pods =
        new PodScene(ControllerOptions.defaults().withMoreKinds(KindDeclarations.read(KINDS)));
    pods.create(Serialization.asYaml(
        sweep("{paused: true, trials: 2, hosts: 1, template: " + TEMPLATE + "}", "{}")));
    assertThat(pods.scene.state("s")).isEqualTo(JobState.ADMITTED);
    pods.scene.createJob("high", 4, Scene.withLabel("kueue.x-k8s.io/priority-class", "high"));
    pods.scene.settle();
    assertThat(pods.scene.state("s")).isEqualTo(JobState.PENDING);
    assertThat(pods.scene.runs("high")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
          {}                                                    | kinds is missing
          kinds: [{apiGroup: a.b}]                              | kinds[].kind is missing
          kinds: [{kind: A}]                                    | A: apiGroup is missing
          kinds: [{kind: A, apiGroup: a.b}]                     | A: podSets is missing
          kinds: [{kind: A, apiGroup: a.b, podSets: []}]        | A of a.b has no pod set
          kinds: [{kind: A, apiGroup: a.b, podSets: [{name: m}]}] | podSets[].template is missing
          kinds: [{kind: A, group: a.b}]                        | Unrecognized field "group"
          kinds: [{kind: A, apiGroup: a.b, podSets: [{name: m, template: t}], failed: [{}]}] | a check has none of
          kinds: [                                              | no YAML
          """)
  void whatIsWrongIsSaid(String yaml, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KindDeclarations.read(yaml))
        .withMessageContaining(message);
  }

  @Test
  void theCommandReadsTheFile(@TempDir Path folder) throws IOException {
    Path kinds = Files.writeString(folder.resolve("kinds.yaml"), KINDS);
    Path manifests = Files.writeString(
        folder.resolve("all.yaml"),
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: q}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 8}]}]
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,
         metadata: {name: queue, namespace: default}, spec: {clusterQueue: q}}
        ---
        """ + Serialization.asYaml(sweep("{paused: true, template: " + TEMPLATE + "}", "{}")));
    CommandLineRun run = CommandLineRun.of(
        "controller", "--kinds", kinds.toString(), "--dry-run", manifests.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsPattern("s +default +Sweep +q +Admitted");
    CommandLineRun twice = CommandLineRun.of(
        "controller",
        "--kinds",
        kinds.toString(),
        "--kinds",
        kinds.toString(),
        "--dry-run",
        manifests.toString());
    assertThat(twice.exitCode()).isEqualTo(2);
    assertThat(twice.err()).contains("a kind is declared that is known");
  }
}
