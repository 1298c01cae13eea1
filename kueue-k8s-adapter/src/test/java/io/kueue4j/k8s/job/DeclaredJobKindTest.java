package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.kueue4j.core.model.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A kind of job that is declared by the paths of its fields. */
class DeclaredJobKindTest {
  private static final DeclaredJobKind SWEEP = DeclaredJobKind.builder("example.com", "Sweep")
      .suspend("spec.paused")
      .podSet(DeclaredPodSet.of("leader", "spec.leader").count(1))
      .podSet(DeclaredPodSet.of("trials", "spec.trial.template")
          .count("spec.trial.count", 2)
          .onlyIf("spec.trial")
          .index("example.com/index"))
      .podSet(DeclaredPodSet.each("spec.groups", "name", "pods")
          .count("replicas", 1)
          .times("hosts", 1))
      .succeeded(DeclaredJobKind.StatusCheck.condition("Complete"))
      .failed(DeclaredJobKind.StatusCheck.value("status.phase", "Failed", "Lost")
          .message("status.words"))
      .active(DeclaredJobKind.StatusCheck.positive("status.groups.*.running"))
      .ready(DeclaredJobKind.StatusCheck.value("status.phase", "Running"))
      .reclaimable("trials", "status.done")
      .priorityClass("spec.priority")
      .build();

  private static final JobKinds KINDS = JobKinds.of(List.of(SWEEP));
  private static final JobWorkloads WORKLOADS = JobWorkloads.builder()
      .kinds(KINDS)
      .addPriorityClasses(new PriorityClassBuilder()
          .withNewMetadata()
          .withName("high")
          .endMetadata()
          .withValue(9)
          .build())
      .build();

  private static GenericKubernetesResource sweep(@Nullable Object... pathsAndValues) {
    GenericKubernetesResource job = new GenericKubernetesResource();
    job.setApiVersion("example.com/v3");
    job.setKind("Sweep");
    job.setMetadata(Jobs.job().buildMetadata());
    job = with(job, "spec.paused", true);
    job = with(job, "spec.leader", KindManifests.template("1"));
    for (int i = 0; i < pathsAndValues.length; i += 2) {
      job = with(job, String.valueOf(pathsAndValues[i]), pathsAndValues[i + 1]);
    }
    return job;
  }

  private static GenericKubernetesResource with(
      GenericKubernetesResource job, String path, @Nullable Object value) {
    return KindManifests.with(job, RawPath.of(path), value);
  }

  private static Map<String, Object> group(@Nullable Object... namesAndValues) {
    Map<String, Object> group = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      group.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return group;
  }

  private static List<String> podSets(GenericKubernetesResource job) {
    return WORKLOADS.convert(job).orElseThrow().workload().podSets().stream()
        .map(KindManifests::text)
        .toList();
  }

  private static List<String> problems(GenericKubernetesResource job) {
    assertThat(WORKLOADS.convert(job)).isInstanceOf(JobConversion.Invalid.class);
    return ((JobConversion.Invalid) WORKLOADS.convert(job))
        .violations().stream()
            .map(violation -> violation.field() + ": " + violation.problem())
            .toList();
  }

  @Test
  void findsPodSetsInTheirOrder() {
    assertThat(podSets(sweep())).containsExactly("leader x1 {cpu=1000}");
    GenericKubernetesResource full = sweep(
        "spec.groups",
        List.of(
            group("name", "B", "pods", KindManifests.template("2"), "replicas", 3, "hosts", 2),
            group("name", "a", "pods", KindManifests.template("3"))),
        "spec.trial.template",
        KindManifests.template("4"));
    assertThat(podSets(full))
        .containsExactly(
            "leader x1 {cpu=1000}", "trials x2 {cpu=4000}", "b x6 {cpu=2000}", "a x1 {cpu=3000}");
    assertThat(SWEEP.podSets(full).get(1).index())
        .contains(JobPodSet.Index.of("example.com/index"));
    assertThat(SWEEP.podSets(full).get(2).path()).isEqualTo("spec.groups[0].pods");
  }

  @Test
  void takesNullForNothing() {
    assertThat(podSets(sweep("spec.trial", null, "spec.groups", null)))
        .containsExactly("leader x1 {cpu=1000}");
    assertThat(podSets(
            sweep("spec.trial", group("template", KindManifests.template("1"), "count", null))))
        .contains("trials x2 {cpu=1000}");
  }

  @Test
  void namesWhatHasAnotherForm() {
    assertThat(problems(sweep("spec", "all"))).containsExactly("spec: \"all\"; expected a mapping");
    assertThat(problems(sweep("spec.paused", "yes")))
        .containsExactly("spec.paused: \"yes\"; expected true or false");
    assertThat(problems(sweep("spec.trial", group("count", "3", "template", Map.of()))))
        .containsExactly("spec.trial.count: \"3\"; expected a 32-bit integer");
    assertThat(problems(sweep("spec.trial", group("count", 1L << 31, "template", Map.of()))))
        .containsExactly("spec.trial.count: 2147483648 (a number); expected a 32-bit integer");
    assertThat(problems(sweep("spec.trial", group("count", 1.5, "template", Map.of()))))
        .containsExactly("spec.trial.count: 1.5 (a number); expected a 32-bit integer");
    assertThat(problems(sweep("spec.trial", group("count", -1, "template", Map.of()))))
        .containsExactly("spec.trial.count: -1; expected 0 or more");
    assertThat(problems(sweep("spec.groups", Map.of("name", "x"))))
        .containsExactly("spec.groups: a mapping; expected a list");
    assertThat(problems(sweep("spec.groups", Arrays.asList("x", null))))
        .contains("spec.groups[0]: \"x\"; expected a mapping");
    assertThat(problems(sweep("spec.groups", List.of(group("name", 5)))))
        .containsExactly("spec.groups[0].name: 5 (a number); expected text, in quotes if it looks"
            + " like something else");
    assertThat(problems(sweep("spec.groups", List.of(group("replicas", 1)))))
        .containsExactly("spec.groups[0].name: missing; expected the name of the group");
    assertThat(problems(
            sweep("spec.leader.spec.containers", List.of(group("name", "c", "args", "one")))))
        .containsExactly("spec.leader.spec.containers[0].args: \"one\"; expected a list");
    assertThat(problems(sweep("spec.leader.spec.nodeSelector", group("zone", true))))
        .containsExactly("spec.leader.spec.nodeSelector.zone: true (a boolean); expected text, in"
            + " quotes if it looks like something else");
  }

  @Test
  void namesWhatIsMissingOrDouble() {
    assertThat(problems(sweep("spec.leader", null)))
        .contains("spec.leader.spec: missing; expected the spec of a pod");
    assertThat(problems(sweep(
            "spec.groups", List.of(group("name", "Leader", "pods", KindManifests.template("1"))))))
        .containsExactly("spec: two pod sets are called \"leader\", the second of them at"
            + " spec.groups[0].pods");
    List<Object> groups = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      groups.add(group("name", "g" + i, "pods", KindManifests.template("1")));
    }
    assertThat(problems(sweep("spec.groups", groups)))
        .containsExactly("spec: 19 pod sets; expected 1 to 18");
    assertThat(problems(sweep(
            "spec.groups", List.of(group("name", "a_b", "pods", KindManifests.template("1"))))))
        .singleElement()
        .asString()
        .contains("a_b");
  }

  @Test
  void anUnreadableJobCannotBeStarted() {
    GenericKubernetesResource job = sweep("spec.leader", "none");
    assertThatExceptionOfType(InvalidConfigurationException.class)
        .isThrownBy(() -> JobEditor.of(KINDS).snapshot(job))
        .withMessageContaining("spec.leader: \"none\"; expected a mapping");
  }

  @Test
  void readsTheStatus() {
    assertThat(SWEEP.outcome(sweep())).isEmpty();
    Map<String, Object> complete =
        group("type", "Complete", "status", "True", "message", "all done");
    assertThat(SWEEP.outcome(sweep("status.conditions", List.of(complete))))
        .contains(new JobKind.Outcome(true, "all done"));
    complete.put("status", "False");
    assertThat(SWEEP.outcome(sweep("status.conditions", List.of(complete)))).isEmpty();
    assertThat(SWEEP.outcome(sweep("status.phase", "Lost", "status.words", "node gone")))
        .contains(new JobKind.Outcome(false, "node gone"));
    assertThat(SWEEP.outcome(sweep("status.phase", "Failed")))
        .contains(new JobKind.Outcome(false, ""));
    assertThat(SWEEP.podsReady(sweep("status.phase", "Running"))).isTrue();
    assertThat(SWEEP.podsReady(sweep("status.phase", 7))).isFalse();
    assertThat(SWEEP.isActive(sweep("status.groups", Map.of("a", Map.of("running", 0)))))
        .isFalse();
    assertThat(SWEEP.isActive(
            sweep("status.groups", List.of(Map.of("running", 0), Map.of("running", 2)))))
        .isTrue();
    assertThat(SWEEP.reclaimablePods(sweep("status.done", 2)))
        .containsExactly(Map.entry("trials", 2));
    assertThat(SWEEP.reclaimablePods(sweep("status.done", "2"))).isEmpty();
  }

  @Test
  void reclaimablePodsAreNoMoreThanThereAre() {
    GenericKubernetesResource job =
        sweep("spec.trial.template", KindManifests.template("1"), "status.done", 9);
    assertThat(WORKLOADS.convert(job).orElseThrow().reclaimablePods())
        .containsExactly(Map.entry("trials", 2));
  }

  @Test
  void readsThePriority() {
    assertThat(WORKLOADS.convert(sweep()).orElseThrow().workload().priority()).isZero();
    assertThat(WORKLOADS
            .convert(sweep("spec.priority", "high"))
            .orElseThrow()
            .workload()
            .priority())
        .isEqualTo(9);
    assertThat(problems(sweep("spec.priority", "low")))
        .singleElement()
        .asString()
        .contains("low");
  }

  @Test
  void refusesDeclarationsThatMeanNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredJobKind.builder("example.com", "Sweep").build())
        .withMessage("Sweep of example.com has no pod set; add at least one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredJobKind.builder("example.com", ""))
        .withMessageContaining("the kind is empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredPodSet.of("Main", "spec.template"))
        .withMessageContaining("\"Main\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredPodSet.of("main", "spec..template"))
        .withMessageContaining("spec..template");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredPodSet.of("main", "spec.list[0]"))
        .withMessageContaining("spec.list[0]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredPodSet.of("main", "spec.template").count(-1))
        .withMessage("the number of pods is -1; expected 0 or more");
    DeclaredPodSet main = DeclaredPodSet.of("main", "spec.template");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> DeclaredJobKind.builder("g", "K").podSet(main).podSet(main).build())
        .withMessage("K of g has two pod sets main; expected different names");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredJobKind.builder("g", "K")
            .podSet(main)
            .reclaimable("other", "status.done")
            .build())
        .withMessage(
            "pods of other are reclaimable, which is no pod set of K; expected one of" + " [main]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeclaredJobKind.StatusCheck.value("status.phase"))
        .withMessageContaining("status.phase");
  }

  @Test
  void countsThatMultiplyBeyondAllBoundsAreNamed() {
    GenericKubernetesResource job = sweep(
        "spec.groups",
        List.of(group(
            "name",
            "g",
            "pods",
            KindManifests.template("1"),
            "replicas",
            Integer.MAX_VALUE,
            "hosts",
            Integer.MAX_VALUE)));
    assertThat(SWEEP.malformed(job))
        .extracting(violation -> violation.field() + ": " + violation.problem())
        .containsExactly("spec.groups[0].hosts: 2147483647 times 2147483647 pods; expected at most"
            + " 2147483647 pods in all");
  }

  @Test
  void belongsToAListOfKinds() {
    assertThat(JobKinds.all().and(SWEEP).find(sweep())).isPresent();
    assertThat(ImmutableList.copyOf(KINDS.asList())).isEqualTo(List.of(SWEEP));
  }
}
