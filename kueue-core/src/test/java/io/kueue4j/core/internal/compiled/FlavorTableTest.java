package io.kueue4j.core.internal.compiled;

import static io.kueue4j.core.model.ReasonCode.INVALID_NODE_AFFINITY;
import static io.kueue4j.core.model.ReasonCode.NODE_AFFINITY_MISMATCH;
import static io.kueue4j.core.model.ReasonCode.UNTOLERATED_TAINT;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelRequirement.Operator;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FlavorTableTest {
  private static final Taint GPU = new Taint("gpu", "5", Taint.Effect.NO_SCHEDULE);

  private final Catalog catalog = new Catalog();
  private final FlavorTable flavors = new FlavorTable(new Journal());

  private @Nullable ReasonCode obstacle(PodSet.Builder podSet) {
    Workload workload = Workload.builder()
        .namespace("team")
        .name("job")
        .queueName("queue")
        .addPodSets(podSet.build())
        .build();
    return flavors.obstacle(
        "flavor",
        new WorkloadCompiler(catalog, Settings.defaults())
            .compile(workload, ImmutableSortedMap.of(), 0)
            .podSet(0));
  }

  private void put(ResourceFlavor.Builder flavor) {
    flavors.put(flavor.name("flavor").build());
  }

  private static PodSet.Builder pods() {
    return PodSet.builder();
  }

  @Nested
  class Existence {
    @Test
    void flavorThatWasNeverAppliedIsNotFound() {
      assertThat(obstacle(pods())).isEqualTo(ReasonCode.FLAVOR_NOT_FOUND);
    }

    @Test
    void flavorIsNotFoundAfterRemoval() {
      put(ResourceFlavor.builder());
      assertThat(obstacle(pods())).isNull();

      assertThat(flavors.remove("flavor")).isTrue();

      assertThat(obstacle(pods())).isEqualTo(ReasonCode.FLAVOR_NOT_FOUND);
      assertThat(flavors.flavor("flavor")).isEmpty();
    }

    @Test
    void removingAnUnknownFlavorDoesNothing() {
      assertThat(flavors.remove("unheard of")).isFalse();

      assertThat(flavors.flavor("unheard of")).isEmpty();
      assertThat(flavors.all()).isEmpty();
    }

    @Test
    void flavorsAreListedByName() {
      Stream.of("spot", "default", "arm", "on-demand")
          .map(ResourceFlavor::of)
          .forEach(flavors::put);

      assertThat(flavors.all())
          .extracting(ResourceFlavor::name)
          .containsExactly("arm", "default", "on-demand", "spot");
    }

    @Test
    void flavorIsTheOneAppliedLast() {
      put(ResourceFlavor.builder().addNodeTaints(GPU));
      put(ResourceFlavor.builder());

      assertThat(obstacle(pods())).isNull();
    }
  }

  @Nested
  class Taints {
    @ParameterizedTest
    @CsvSource({
      "gpu, EXISTS, '', , true",
      "gpu, EXISTS, '', NO_SCHEDULE, true",
      "gpu, EXISTS, '', NO_EXECUTE, false",
      "other, EXISTS, '', , false",
      "'', EXISTS, '', , true",
      "'', EXISTS, '', NO_EXECUTE, false",
      "gpu, EQUAL, 5, , true",
      "gpu, EQUAL, 5, NO_SCHEDULE, true",
      "gpu, EQUAL, 5, PREFER_NO_SCHEDULE, false",
      "gpu, EQUAL, 6, , false",
      "gpu, EQUAL, '', , false",
      "other, EQUAL, 5, , false",
      "'', EQUAL, 5, , true",
      "gpu, LESS_THAN, 6, , true",
      "gpu, LESS_THAN, 5, , false",
      "gpu, LESS_THAN, 4, , false",
      "gpu, LESS_THAN, many, , false",
      "gpu, GREATER_THAN, 4, , true",
      "gpu, GREATER_THAN, -4, , true",
      "gpu, GREATER_THAN, 5, , false",
      "gpu, GREATER_THAN, 6, , false",
      "gpu, GREATER_THAN, '', , false",
      "other, LESS_THAN, 6, , false"
    })
    void areToleratedByKeyOperatorValueAndEffect(
        String key,
        Toleration.Operator operator,
        String value,
        Taint.@Nullable Effect effect,
        boolean tolerated) {
      put(ResourceFlavor.builder().addNodeTaints(GPU));
      Toleration toleration = Toleration.builder()
          .key(key)
          .operator(operator)
          .value(value)
          .effect(Optional.ofNullable(effect))
          .build();

      assertThat(obstacle(pods().addTolerations(toleration)))
          .isEqualTo(tolerated ? null : ReasonCode.UNTOLERATED_TAINT);
    }

    @ParameterizedTest
    @CsvSource({"LESS_THAN", "GREATER_THAN"})
    void thatAreNoIntegersAreNeitherLessNorGreater(Toleration.Operator operator) {
      put(ResourceFlavor.builder()
          .addNodeTaints(new Taint("gpu", "present", Taint.Effect.NO_SCHEDULE)));
      Toleration toleration =
          Toleration.builder().key("gpu").operator(operator).value("5").build();

      assertThat(obstacle(pods().addTolerations(toleration)))
          .isEqualTo(ReasonCode.UNTOLERATED_TAINT);
    }

    @ParameterizedTest
    @CsvSource({"NO_SCHEDULE, true", "NO_EXECUTE, true", "PREFER_NO_SCHEDULE, false"})
    void excludeByTheirEffect(Taint.Effect effect, boolean excludes) {
      put(ResourceFlavor.builder().addNodeTaints(new Taint("gpu", "", effect)));

      assertThat(obstacle(pods())).isEqualTo(excludes ? ReasonCode.UNTOLERATED_TAINT : null);
    }

    @Test
    void toleratedByTheFlavorItselfExcludeNone() {
      put(ResourceFlavor.builder().addNodeTaints(GPU).addTolerations(Toleration.exists("gpu")));

      assertThat(obstacle(pods())).isNull();
    }

    @Test
    void mustAllBeTolerated() {
      put(ResourceFlavor.builder()
          .addNodeTaints(GPU, new Taint("spot", "", Taint.Effect.NO_EXECUTE)));

      assertThat(obstacle(pods().addTolerations(Toleration.exists("gpu"))))
          .isEqualTo(ReasonCode.UNTOLERATED_TAINT);
      assertThat(
              obstacle(pods().addTolerations(Toleration.exists("gpu"), Toleration.exists("spot"))))
          .isNull();
    }

    @Test
    void mayBeToleratedPartlyByTheFlavorAndPartlyByThePods() {
      put(ResourceFlavor.builder()
          .addNodeTaints(GPU, new Taint("spot", "", Taint.Effect.NO_EXECUTE))
          .addTolerations(Toleration.exists("spot")));

      assertThat(obstacle(pods().addTolerations(Toleration.equal("gpu", "5")))).isNull();
    }

    @Test
    void excludeAnUntoleratedTaintThoughTheFlavorToleratesSome() {
      put(ResourceFlavor.builder().addNodeTaints(GPU).addTolerations(Toleration.exists("spot")));

      assertThat(obstacle(pods())).isEqualTo(ReasonCode.UNTOLERATED_TAINT);
    }

    @Test
    void areLookedAtBeforeLabels() {
      put(ResourceFlavor.builder().addNodeTaints(GPU).putNodeLabels("zone", "a"));

      assertThat(obstacle(pods().putNodeSelector("zone", "b")))
          .isEqualTo(ReasonCode.UNTOLERATED_TAINT);
    }
  }

  @Nested
  class NodeSelectors {
    @ParameterizedTest
    @CsvSource({"a, true", "b, false"})
    void compareTheLabelsOfTheFlavor(String zone, boolean matches) {
      put(ResourceFlavor.builder().putNodeLabels("zone", "a"));

      assertThat(obstacle(pods().putNodeSelector("zone", zone)))
          .isEqualTo(matches ? null : ReasonCode.NODE_AFFINITY_MISMATCH);
    }

    @Test
    void ignoreLabelsThatTheFlavorDoesNotHave() {
      put(ResourceFlavor.builder().putNodeLabels("zone", "a"));

      assertThat(obstacle(pods().putNodeSelector("zone", "a").putNodeSelector("disk", "ssd")))
          .isNull();
    }

    @Test
    void matchAFlavorWithoutLabels() {
      put(ResourceFlavor.builder());

      assertThat(obstacle(pods().putNodeSelector("zone", "b"))).isNull();
    }

    @Test
    void mustMatchBesidesTheAffinity() {
      put(ResourceFlavor.builder().putNodeLabels("zone", "a").putNodeLabels("gen", "2"));
      NodeSelectorTerm secondGeneration = NodeSelectorTerm.of(LabelRequirement.in("gen", "2"));

      assertThat(obstacle(
              pods().putNodeSelector("zone", "b").addAllNodeAffinity(List.of(secondGeneration))))
          .isEqualTo(ReasonCode.NODE_AFFINITY_MISMATCH);
      assertThat(obstacle(
              pods().putNodeSelector("zone", "a").addAllNodeAffinity(List.of(secondGeneration))))
          .isNull();
    }
  }

  @Nested
  class Affinity {
    private static final LabelRequirement ZONE_A = LabelRequirement.in("zone", "a");
    private static final LabelRequirement ZONE_B = LabelRequirement.in("zone", "b");
    private static final LabelRequirement GENERATION_2 = LabelRequirement.in("gen", "2");
    private static final LabelRequirement GENERATION_3 = LabelRequirement.in("gen", "3");
    private static final LabelRequirement FOREIGN = LabelRequirement.in("foreign", "x");
    private static final LabelRequirement UNREADABLE = requirement("zone", Operator.IN);
    private static final LabelRequirement FOREIGN_UNREADABLE = requirement("foreign", Operator.IN);

    private static LabelRequirement requirement(String key, Operator operator, String... values) {
      return new LabelRequirement(key, operator, ImmutableList.copyOf(values));
    }

    private static NodeSelectorTerm term(LabelRequirement... requirements) {
      return NodeSelectorTerm.of(requirements);
    }

    private @Nullable ReasonCode obstacleFor(NodeSelectorTerm... terms) {
      put(ResourceFlavor.builder().putAllNodeLabels(Map.of("zone", "a", "gen", "2")));
      return obstacle(pods().addAllNodeAffinity(Arrays.asList(terms)));
    }

    @ParameterizedTest
    @CsvSource({
      "IN, '2', true",
      "IN, '1 2', true",
      "IN, '3', false",
      "NOT_IN, '3', true",
      "NOT_IN, '2', false",
      "EXISTS, '', true",
      "DOES_NOT_EXIST, '', false",
      "GREATER_THAN, '1', true",
      "GREATER_THAN, '2', false",
      "LESS_THAN, '3', true",
      "LESS_THAN, '2', false"
    })
    void knowsTheOperators(Operator operator, String values, boolean matches) {
      String[] split = values.isEmpty() ? new String[0] : values.split(" ", -1);

      assertThat(obstacleFor(term(requirement("gen", operator, split))))
          .isEqualTo(matches ? null : ReasonCode.NODE_AFFINITY_MISMATCH);
    }

    @Test
    void needsOneOfTheTerms() {
      assertThat(obstacleFor(term(ZONE_B), term(ZONE_A))).isNull();
      assertThat(obstacleFor(term(ZONE_B), term(GENERATION_3)))
          .isEqualTo(ReasonCode.NODE_AFFINITY_MISMATCH);
    }

    @Test
    void needsAllExpressionsOfATerm() {
      assertThat(obstacleFor(term(ZONE_A, GENERATION_2))).isNull();
      assertThat(obstacleFor(term(ZONE_A, GENERATION_3)))
          .isEqualTo(ReasonCode.NODE_AFFINITY_MISMATCH);
      assertThat(obstacleFor(term(GENERATION_3, ZONE_A)))
          .isEqualTo(ReasonCode.NODE_AFFINITY_MISMATCH);
    }

    @Test
    void dropsExpressionsOnOtherKeys() {
      assertThat(obstacleFor(term(ZONE_A, FOREIGN))).isNull();
      assertThat(obstacleFor(term(ZONE_B, FOREIGN))).isEqualTo(ReasonCode.NODE_AFFINITY_MISMATCH);
    }

    @Test
    void isSatisfiedAsAWholeIfATermBecomesEmpty() {
      assertThat(obstacleFor(term(ZONE_B), term(FOREIGN))).isNull();
    }

    @Test
    void dropsFieldsAlways() {
      NodeSelectorTerm fieldsOnly = new NodeSelectorTerm(
          ImmutableList.of(), ImmutableList.of(LabelRequirement.in("metadata.name", "node-1")));
      NodeSelectorTerm withFields = new NodeSelectorTerm(
          ImmutableList.of(ZONE_B), ImmutableList.of(LabelRequirement.in("zone", "a")));

      assertThat(obstacleFor(fieldsOnly)).isNull();
      assertThat(obstacleFor(withFields)).isEqualTo(ReasonCode.NODE_AFFINITY_MISMATCH);
    }

    @Test
    void matchesAFlavorWithoutLabelsEvenIfUnreadable() {
      put(ResourceFlavor.builder());

      assertThat(obstacle(pods().addAllNodeAffinity(List.of(term(ZONE_B), term(UNREADABLE)))))
          .isNull();
    }

    static List<Arguments> unreadable() {
      return List.of(
          Arguments.of(requirement("zone", Operator.IN)),
          Arguments.of(requirement("zone", Operator.NOT_IN)),
          Arguments.of(requirement("zone", Operator.EXISTS, "a")),
          Arguments.of(requirement("zone", Operator.DOES_NOT_EXIST, "a")),
          Arguments.of(requirement("gen", Operator.GREATER_THAN)),
          Arguments.of(requirement("gen", Operator.GREATER_THAN, "1", "2")),
          Arguments.of(requirement("gen", Operator.LESS_THAN, "three")));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void isAnErrorIfUnreadable(LabelRequirement requirement) {
      assertThat(obstacleFor(term(requirement))).isEqualTo(ReasonCode.INVALID_NODE_AFFINITY);
      assertThat(obstacleFor(term(requirement, ZONE_A)))
          .isEqualTo(ReasonCode.INVALID_NODE_AFFINITY);
    }

    @Test
    void isAnErrorOnlyIfNoOtherTermMatches() {
      assertThat(obstacleFor(term(UNREADABLE), term(ZONE_A))).isNull();
      assertThat(obstacleFor(term(ZONE_A), term(UNREADABLE))).isNull();
      assertThat(obstacleFor(term(UNREADABLE), term(ZONE_B)))
          .isEqualTo(ReasonCode.INVALID_NODE_AFFINITY);
    }

    @Test
    void isNoErrorIfTheUnreadableExpressionIsDropped() {
      assertThat(obstacleFor(term(FOREIGN_UNREADABLE, ZONE_A))).isNull();
      assertThat(obstacleFor(term(FOREIGN_UNREADABLE, ZONE_B)))
          .isEqualTo(ReasonCode.NODE_AFFINITY_MISMATCH);
    }
  }

  /** What people read; the flavor may have been changed or removed since it was looked at. */
  @Nested
  class Words {
    private String words(PodSet.Builder podSet, ReasonCode obstacle) {
      return FlavorTable.describe(flavors.entry("flavor"), podSet.build(), obstacle);
    }

    @Test
    void nameTheTaintThatIsNotTolerated() {
      put(ResourceFlavor.builder()
          .addNodeTaints(new Taint("spot", "", Taint.Effect.NO_EXECUTE), GPU));

      assertThat(words(pods().addTolerations(Toleration.exists("spot")), UNTOLERATED_TAINT))
          .isEqualTo("has the taint " + GPU + ", which the pods do not tolerate");
    }

    @Test
    void nameTheLabelsOfTheFlavor() {
      put(ResourceFlavor.builder().putNodeLabels("zone", "a"));

      assertThat(words(pods().putNodeSelector("zone", "b"), NODE_AFFINITY_MISMATCH))
          .isEqualTo("its node labels {zone=a} do not match the node selector or affinity of the"
              + " pods");
    }

    @Test
    void nameWhatCannotBeRead() {
      put(ResourceFlavor.builder().putNodeLabels("zone", "a"));
      LabelRequirement unreadable = new LabelRequirement("zone", Operator.IN, ImmutableList.of());
      String problem = unreadable.problem().orElseThrow();

      assertThat(words(
              pods()
                  .addAllNodeAffinity(List.of(new NodeSelectorTerm(
                      ImmutableList.of(LabelRequirement.in("zone", "b"), unreadable),
                      ImmutableList.of()))),
              INVALID_NODE_AFFINITY))
          .isEqualTo("the node affinity of the pods cannot be read: zone: " + problem);
    }

    @Test
    void sayThatThereIsNoSuchFlavor() {
      assertThat(words(pods(), ReasonCode.FLAVOR_NOT_FOUND))
          .isEqualTo("there is no ResourceFlavor of that name");
    }

    @Test
    void canBeHadOfAFlavorThatIsGone() {
      assertThat(words(pods(), UNTOLERATED_TAINT)).startsWith("has the taint");
      assertThat(words(pods(), NODE_AFFINITY_MISMATCH)).startsWith("its node labels");
    }
  }
}
