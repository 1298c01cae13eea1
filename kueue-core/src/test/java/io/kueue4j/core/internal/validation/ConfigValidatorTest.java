package io.kueue4j.core.internal.validation;

import static io.kueue4j.core.internal.validation.Specs.fields;
import static io.kueue4j.core.internal.validation.Specs.flavor;
import static io.kueue4j.core.internal.validation.Specs.group;
import static io.kueue4j.core.internal.validation.Specs.list;
import static io.kueue4j.core.internal.validation.Specs.names;
import static io.kueue4j.core.internal.validation.Specs.problems;
import static io.kueue4j.core.internal.validation.Specs.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import java.util.Collections;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules M-1, M-2, M-7, M-8, M-9, M-10, T-1 and T-2. */
class ConfigValidatorTest {
  private static Taint taint(String key) {
    return new Taint(key, "", Taint.Effect.NO_SCHEDULE);
  }

  private static Toleration toleration(
      String key, Toleration.Operator operator, String value, Optional<Taint.Effect> effect) {
    return Toleration.builder()
        .key(key)
        .operator(operator)
        .value(value)
        .effect(effect)
        .build();
  }

  static Stream<Arguments> objectsWithoutName() {
    return Stream.of(
        Arguments.of(ResourceFlavor.of(""), "name"),
        Arguments.of(ClusterQueue.builder().name("").build(), "name"),
        Arguments.of(Cohort.builder().name("").build(), "name"),
        Arguments.of(LocalQueue.of("", "queue", "queue"), "namespace"),
        Arguments.of(LocalQueue.of("ns", "", "queue"), "name"),
        Arguments.of(LocalQueue.of("ns", "queue", ""), "clusterQueue"),
        Arguments.of(new Namespace("", ImmutableSortedMap.of()), "name"),
        Arguments.of(new WorkloadPriorityClass("", 1), "name"));
  }

  @ParameterizedTest
  @MethodSource("objectsWithoutName")
  void refusesEmptyNames(ConfigObject object, String field) {
    assertThat(fields(object)).containsExactly(field);
  }

  static Stream<Arguments> objectsWithAWrongName() {
    String tooLong = "a".repeat(64);
    return Stream.of(
        Arguments.of(ResourceFlavor.of("A100"), "name"),
        Arguments.of(flavor(f -> f.putNodeLabels("a", "b").topologyName("a b")), "topologyName"),
        Arguments.of(flavor(f -> f.tpuPoolSet("a b")), "tpuPoolSet"),
        Arguments.of(queue(q -> q.name("a/b")), "name"),
        Arguments.of(queue(q -> q.cohort("a_b")), "cohort"),
        Arguments.of(Cohort.builder().name("-a").build(), "name"),
        Arguments.of(Cohort.builder().name("a").parent("b-").build(), "parent"),
        Arguments.of(LocalQueue.of("a.b", "queue", "queue"), "namespace"),
        Arguments.of(LocalQueue.of("ns", "a/b", "queue"), "name"),
        Arguments.of(LocalQueue.of("ns", "queue", "a..b"), "clusterQueue"),
        Arguments.of(Namespace.of(tooLong), "name"),
        Arguments.of(new WorkloadPriorityClass("a b", 1), "name"));
  }

  @ParameterizedTest
  @MethodSource("objectsWithAWrongName")
  void refusesNamesThatKubernetesWouldNotTake(ConfigObject object, String field) {
    assertThat(fields(object)).containsExactly(field);
  }

  @Test
  void acceptsDotsAndLengthInNamesOfAllButNamespaces() {
    String name = "a.b-c." + "d".repeat(200);

    assertThat(problems(ResourceFlavor.of(name))).isEmpty();
    assertThat(problems(queue(q -> q.name(name).cohort(name)))).isEmpty();
    assertThat(problems(Cohort.builder().name(name).parent(name).build())).isEmpty();
    assertThat(problems(LocalQueue.of("ns", name, name))).isEmpty();
    assertThat(problems(new WorkloadPriorityClass(name, 1))).isEmpty();
  }

  @Test
  void saysWhatANameMayBeMadeOf() {
    assertThat(problems(LocalQueue.of("ns", "a/b", "queue")))
        .containsExactly(
            "name: \"a/b\"; expected a name of lower-case letters, digits, '-' and '.',"
                + " at most 253 characters, with a letter or digit first and last");
  }

  @Test
  void acceptsEightLabelsTaintsAndTolerationsOfAFlavor() {
    assertThat(fields(fullFlavor(8))).isEmpty();
  }

  @Test
  void refusesMoreThanEightLabelsTaintsAndTolerationsOfAFlavor() {
    assertThat(fields(fullFlavor(9))).containsExactly("nodeLabels", "nodeTaints", "tolerations");
  }

  private static ResourceFlavor fullFlavor(int entries) {
    return flavor(flavor -> {
      names("k", 0, entries).forEach(key -> flavor.putNodeLabels(key, "v"));
      return flavor
          .addAllNodeTaints(
              names("k", 0, entries).stream().map(ConfigValidatorTest::taint).toList())
          .addAllTolerations(
              names("k", 0, entries).stream().map(Toleration::exists).toList());
    });
  }

  @ParameterizedTest
  @EnumSource(Taint.Effect.class)
  void acceptsEveryTaintEffectAndOneTaintOfEach(Taint.Effect effect) {
    ResourceFlavor flavor =
        flavor(f -> f.addNodeTaints(new Taint("k", "v", effect), new Taint("other", "v", effect)));
    assertThat(problems(flavor)).isEmpty();
  }

  @Test
  void acceptsTheSameTaintKeyWithAnotherEffect() {
    assertThat(problems(flavor(f -> f.addNodeTaints(
            new Taint("k", "", Taint.Effect.NO_SCHEDULE),
            new Taint("k", "", Taint.Effect.NO_EXECUTE)))))
        .isEmpty();
  }

  @Test
  void refusesTwoTaintsOfTheSameKeyAndEffect() {
    assertThat(fields(flavor(f -> f.addNodeTaints(
            new Taint("k", "a", Taint.Effect.NO_SCHEDULE),
            new Taint("k", "b", Taint.Effect.NO_SCHEDULE)))))
        .containsExactly("nodeTaints[1]");
  }

  @Test
  void refusesMalformedLabelsAndTaints() {
    ResourceFlavor bad = flavor(f -> f.putNodeLabels("a/b/c", "v")
        .putNodeLabels("k", "not ok")
        .addNodeTaints(new Taint("", "", Taint.Effect.NO_SCHEDULE))
        .addNodeTaints(new Taint("k", "not ok", Taint.Effect.NO_SCHEDULE)));
    assertThat(fields(bad))
        .containsExactly("nodeLabels", "nodeLabels[k]", "nodeTaints[0].key", "nodeTaints[1].value");
  }

  @Test
  void acceptsATolerationOfEverything() {
    Toleration all = toleration("", Toleration.Operator.EXISTS, "", Optional.empty());
    assertThat(problems(flavor(f -> f.addTolerations(all)))).isEmpty();
  }

  @Test
  void refusesATolerationWithoutKeyUnlessItsOperatorIsExists() {
    Toleration keyless = toleration("", Toleration.Operator.EQUAL, "v", Optional.empty());
    assertThat(fields(flavor(f -> f.addTolerations(keyless))))
        .containsExactly("tolerations[0].operator");
  }

  @Test
  void refusesExistsWithAValue() {
    Toleration valued = toleration("k", Toleration.Operator.EXISTS, "v", Optional.empty());
    assertThat(fields(flavor(f -> f.addTolerations(Toleration.exists("j"), valued))))
        .containsExactly("tolerations[1].value");
  }

  @Test
  void acceptsTolerationSecondsWithNoExecuteOnly() {
    Toleration limited = Toleration.builder()
        .key("k")
        .operator(Toleration.Operator.EXISTS)
        .effect(Taint.Effect.NO_EXECUTE)
        .tolerationSeconds(5)
        .build();
    assertThat(problems(flavor(f -> f.addTolerations(limited)))).isEmpty();
    for (Optional<Taint.Effect> effect :
        list(Optional.<Taint.Effect>empty(), Optional.of(Taint.Effect.NO_SCHEDULE))) {
      Toleration other = Toleration.builder()
          .key("k")
          .operator(Toleration.Operator.EXISTS)
          .effect(effect)
          .tolerationSeconds(5)
          .build();
      assertThat(fields(flavor(f -> f.addTolerations(other))))
          .containsExactly("tolerations[0].tolerationSeconds");
    }
  }

  @Test
  void refusesATopologyWithoutNodeLabel() {
    assertThat(fields(flavor(f -> f.topologyName("racks")))).containsExactly("nodeLabels");
    assertThat(fields(flavor(f -> f.topologyName("racks").putNodeLabels("k", "v"))))
        .isEmpty();
  }

  @Test
  void refusesAFlavorWithATopologyAndTpuPools() {
    assertThat(fields(
            flavor(f -> f.topologyName("racks").putNodeLabels("k", "v").tpuPoolSet("pools"))))
        .containsExactly("tpuPoolSet");
  }

  static Stream<Arguments> levels() {
    return Stream.of(
        Arguments.of(names("level", 0, 16), list()),
        Arguments.of(names("level", 0, 17), list("levels")),
        Arguments.of(list(), list("levels")),
        Arguments.of(list("rack", "a b"), list("levels[1]")),
        Arguments.of(list("rack", "rack"), list("levels[1]")),
        Arguments.of(list("rack", Topology.HOSTNAME), list()),
        Arguments.of(list(Topology.HOSTNAME, "rack"), list("levels[0]")));
  }

  @ParameterizedTest
  @MethodSource("levels")
  void acceptsUpTo16LevelsOfWhichOnlyTheLastMayBeTheHost(
      ImmutableList<String> levels, ImmutableList<String> fields) {
    assertThat(fields(Topology.of("racks", levels.toArray(new String[0])))).isEqualTo(fields);
  }

  @Test
  void refusesNegativeAmountsOfANode() {
    assertThat(fields(Node.builder()
            .name("node")
            .putAllocatable("cpu", -1L)
            .putUsedByOthers("pods", -1L)
            .putUsedByOthers("cpu", 0L)
            .build()))
        .containsExactly("allocatable[cpu]", "usedByOthers[pods]");
  }

  @Test
  void refusesTpuPoolsWithHostsOfSeveralSizes() {
    SliceShape shape = SliceShape.parse("4x8");
    assertThat(fields(TpuPoolSet.of(
            "set",
            TpuPool.grid("a", TpuGeneration.V6E, shape, 4),
            TpuPool.grid("b", TpuGeneration.V6E, shape, 8))))
        .containsExactly("fleet");
  }

  static Stream<Arguments> preemptionPolicies() {
    Preemption.Policy never = Preemption.Policy.NEVER;
    Preemption.Policy lower = Preemption.Policy.LOWER_PRIORITY;
    Preemption.Policy newer = Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY;
    Preemption.Policy any = Preemption.Policy.ANY;
    return Stream.of(
        Arguments.of(never, never, never, list()),
        Arguments.of(lower, lower, lower, list()),
        Arguments.of(newer, any, never, list()),
        Arguments.of(any, any, never, list("preemption.withinClusterQueue")),
        Arguments.of(never, newer, never, list("preemption.reclaimWithinCohort")),
        Arguments.of(never, any, newer, list("preemption.borrowWithinCohort.policy")),
        Arguments.of(never, any, any, list("preemption.borrowWithinCohort.policy")),
        Arguments.of(never, never, lower, list("preemption")),
        Arguments.of(
            any,
            newer,
            any,
            list(
                "preemption.withinClusterQueue",
                "preemption.reclaimWithinCohort",
                "preemption.borrowWithinCohort.policy")));
  }

  @ParameterizedTest
  @MethodSource("preemptionPolicies")
  void acceptsOnlyThePoliciesThatEachFieldHas(
      Preemption.Policy within,
      Preemption.Policy reclaim,
      Preemption.Policy borrow,
      ImmutableList<String> fields) {
    Preemption preemption = Preemption.builder()
        .withinClusterQueue(within)
        .reclaimWithinCohort(reclaim)
        .borrowWithinCohort(borrow)
        .build();
    assertThat(fields(queue(q -> q.preemption(preemption)))).isEqualTo(fields);
  }

  @Test
  void acceptsAPreferenceUnderEveryPolicyAsKueuesEngineDoes() {
    for (Policy borrow : Policy.values()) {
      for (Policy preempt : Policy.values()) {
        for (Preference preference : Preference.values()) {
          FlavorFungibility given = new FlavorFungibility(borrow, preempt, Optional.of(preference));
          assertThat(fields(queue(q -> q.flavorFungibility(given)))).isEmpty();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1.1e-9, 0.5, 1, 1e9})
  void acceptsWeights(double weight) {
    assertThat(weighted(weight)).allSatisfy(object -> assertThat(fields(object)).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        -1,
        -1e-12,
        1e-9,
        1e-12,
        Double.MIN_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
      })
  void refusesWeightsThatAreNegativeOrTooSmallOrNoNumber(double weight) {
    assertThat(weighted(weight))
        .allSatisfy(object -> assertThat(fields(object)).containsExactly("fairSharing.weight"));
  }

  private static ImmutableList<ConfigObject> weighted(double weight) {
    return list(
        queue(q -> q.fairSharingWeight(weight)),
        Cohort.builder().name("cohort").fairSharingWeight(weight).build(),
        LocalQueue.builder()
            .namespace("ns")
            .name("queue")
            .clusterQueue("queue")
            .fairSharingWeight(weight)
            .build());
  }

  @Test
  void refusesAMalformedNamespaceSelector() {
    LabelSelector selector = new LabelSelector(
        ImmutableSortedMap.of(), list(LabelRequirement.in("k", "v"), LabelRequirement.in("k")));
    assertThat(fields(queue(q -> q.namespaceSelector(selector))))
        .containsExactly("namespaceSelector.matchExpressions[1]");
  }

  @Test
  void refusesSelectorsWithKeysAndValuesThatNoLabelCanHave() {
    LabelSelector selector = new LabelSelector(
        ImmutableSortedMap.of("a b", "fine", "example.com/team", "c d"),
        list(LabelRequirement.in("-key", "v", "w_"), LabelRequirement.in("k", "")));
    assertThat(fields(queue(q -> q.namespaceSelector(selector))))
        .containsExactly(
            "namespaceSelector.matchLabels",
            "namespaceSelector.matchLabels[example.com/team]",
            "namespaceSelector.matchExpressions[0].key",
            "namespaceSelector.matchExpressions[0].values[1]");
  }

  @Test
  void admissionChecksMayNameFlavorsOfTheQueueOnly() {
    ClusterQueue queue = queue(q -> q.addResourceGroups(group(list("a", "b"), list("cpu")))
        .addAllAdmissionChecks(list(
            new AdmissionCheckRule("everywhere", list()),
            new AdmissionCheckRule("here", list("b")),
            new AdmissionCheckRule("nowhere", list("c")))));
    assertThat(problems(queue))
        .singleElement()
        .asString()
        .startsWith("admissionChecks[2].onFlavors: \"c\"");
  }

  @Test
  void limitsAdmissionChecksAndTheirFlavorsTo64() {
    ImmutableList<AdmissionCheckRule> checks = names("check", 0, 65).stream()
        .map(name -> new AdmissionCheckRule(name, ImmutableList.of()))
        .collect(ImmutableList.toImmutableList());
    assertThat(fields(queue(q -> q.addAllAdmissionChecks(checks.subList(0, 64)))))
        .isEmpty();
    assertThat(fields(queue(q -> q.addAllAdmissionChecks(checks))))
        .containsExactly("admissionChecks");

    ImmutableList<String> flavors = ImmutableList.copyOf(Collections.nCopies(65, "a"));
    assertThat(fields(queue(q -> q.addResourceGroups(group(list("a"), list("cpu")))
            .addAdmissionChecks(
                new AdmissionCheckRule("most", flavors.subList(0, 64)),
                new AdmissionCheckRule("more", flavors)))))
        .containsExactly("admissionChecks[1].onFlavors");
  }

  @Test
  void findsEveryViolationOfAQueueAtOnce() {
    ClusterQueue bad = ClusterQueue.builder()
        .name("")
        .fairSharingWeight(-1)
        .preemption(
            Preemption.builder().withinClusterQueue(Preemption.Policy.ANY).build())
        .addResourceGroups(group(list(), list("cpu")))
        .build();
    assertThat(fields(bad))
        .containsExactlyInAnyOrder(
            "name",
            "resourceGroups[0].flavors",
            "fairSharing.weight",
            "preemption.withinClusterQueue");
  }

  @Test
  void aViolationReadsAsObjectFieldAndProblem() {
    assertThat(new Violation("Cohort c", "fairSharing.weight", "too small"))
        .hasToString("Cohort c: fairSharing.weight: too small");
    assertThat(new Violation("Cohort c", "", "given twice")).hasToString("Cohort c: given twice");
  }
}
