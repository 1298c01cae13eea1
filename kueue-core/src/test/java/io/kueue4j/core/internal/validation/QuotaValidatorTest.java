package io.kueue4j.core.internal.validation;

import static io.kueue4j.core.internal.validation.Specs.fields;
import static io.kueue4j.core.internal.validation.Specs.group;
import static io.kueue4j.core.internal.validation.Specs.list;
import static io.kueue4j.core.internal.validation.Specs.names;
import static io.kueue4j.core.internal.validation.Specs.problems;
import static io.kueue4j.core.internal.validation.Specs.queue;
import static io.kueue4j.core.internal.validation.Specs.queueWith;
import static io.kueue4j.core.internal.validation.Specs.quota;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules M-5, M-6, M-16 and the limits of section 2.2. */
class QuotaValidatorTest {
  private static final OptionalLong NONE = OptionalLong.empty();

  private static Cohort cohort(boolean hasParent, ResourceQuota quota) {
    Cohort.Builder cohort = Cohort.builder()
        .name("cohort")
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("f", quota)));
    return (hasParent ? cohort.parent("root") : cohort).build();
  }

  @Test
  void acceptsAQueueWithoutResourceGroups() {
    assertThat(problems(queue(queue -> queue))).isEmpty();
  }

  @Test
  void accepts16GroupsAndNoMore() {
    assertThat(fields(queue(queue -> queue.addAllResourceGroups(smallGroups(16)))))
        .isEmpty();
    assertThat(fields(queue(queue -> queue.addAllResourceGroups(smallGroups(17)))))
        .containsExactly("resourceGroups");
  }

  private static ImmutableList<ResourceGroup> smallGroups(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> group(list("f" + i), list("r" + i)))
        .collect(ImmutableList.toImmutableList());
  }

  @Test
  void accepts64ResourcesPerGroupAndNoMore() {
    assertThat(fields(queue(q -> q.addResourceGroups(group(list("f"), names("r", 0, 64))))))
        .isEmpty();
    assertThat(fields(queue(q -> q.addResourceGroups(group(list("f"), names("r", 0, 65))))))
        .containsExactly("resourceGroups[0].coveredResources");
  }

  @Test
  void accepts64FlavorsPerGroupAndNoMore() {
    assertThat(fields(queue(q -> q.addResourceGroups(group(names("f", 0, 64), list("r"))))))
        .isEmpty();
    assertThat(fields(queue(q -> q.addResourceGroups(group(names("f", 0, 65), list("r"))))))
        .containsExactly("resourceGroups[0].flavors");
  }

  @Test
  void accepts512CombinationsPerGroupAndNoMore() {
    assertThat(fields(queue(q -> q.addResourceGroups(group(names("f", 0, 32), names("r", 0, 16))))))
        .isEmpty();
    assertThat(fields(queue(q -> q.addResourceGroups(group(names("f", 0, 27), names("r", 0, 19))))))
        .containsExactly("resourceGroups[0]");
  }

  @Test
  void accepts256ResourcesInAllAndNoMore() {
    assertThat(fields(queueWithResources(4, 64))).isEmpty();
    assertThat(problems(queueWithResources(5, 52)))
        .containsExactly("resourceGroups: 260 entries; expected at most 256");
  }

  private static ClusterQueue queueWithResources(int groups, int each) {
    return queue(q -> q.addAllResourceGroups(IntStream.range(0, groups)
        .mapToObj(g -> group(list("f" + g), names("r" + g + ".", 0, each)))
        .toList()));
  }

  @Test
  void accepts256FlavorsInAllAndNoMore() {
    assertThat(fields(queueWithFlavors(4, 64))).isEmpty();
    assertThat(problems(queueWithFlavors(5, 52)))
        .containsExactly("resourceGroups: 260 entries; expected at most 256");
  }

  private static ClusterQueue queueWithFlavors(int groups, int each) {
    return queue(q -> q.addAllResourceGroups(IntStream.range(0, groups)
        .mapToObj(g -> group(names("f" + g + ".", 0, each), list("r" + g)))
        .toList()));
  }

  @Test
  void totalsOfACohortAreNotLimited() {
    Cohort.Builder cohort = Cohort.builder().name("cohort");
    IntStream.range(0, 5)
        .forEach(g -> cohort.addResourceGroups(group(list("f" + g), names("r" + g + ".", 0, 60))));
    assertThat(problems(cohort.build())).isEmpty();
  }

  @Test
  void refusesAGroupWithoutResourcesOrFlavors() {
    assertThat(fields(queue(q -> q.addResourceGroups(group(list(), list())))))
        .containsExactly("resourceGroups[0].coveredResources", "resourceGroups[0].flavors");
  }

  @Test
  void refusesAResourceTwiceInOneGroup() {
    assertThat(problems(queue(q -> q.addResourceGroups(group(list("f"), list("cpu", "cpu"))))))
        .singleElement()
        .asString()
        .startsWith("resourceGroups[0].coveredResources[1]: \"cpu\"");
  }

  @Test
  void refusesAResourceInTwoGroups() {
    assertThat(fields(queue(q ->
            q.addResourceGroups(group(list("f"), list("cpu")), group(list("g"), list("cpu"))))))
        .containsExactly("resourceGroups[1].coveredResources[0]");
  }

  @Test
  void refusesAFlavorTwiceInOneGroup() {
    assertThat(fields(queue(q -> q.addResourceGroups(group(list("f", "f"), list("cpu"))))))
        .containsExactly("resourceGroups[0].flavors[1].name");
  }

  @Test
  void refusesAFlavorInTwoGroups() {
    assertThat(fields(queue(q ->
            q.addResourceGroups(group(list("f"), list("cpu")), group(list("f"), list("gpu"))))))
        .containsExactly("resourceGroups[1].flavors[0].name");
  }

  @Test
  void refusesAFlavorWithoutName() {
    assertThat(fields(queue(q -> q.addResourceGroups(group(list(""), list("cpu"))))))
        .containsExactly("resourceGroups[0].flavors[0].name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "c pu", "a/b/c", "-cpu"})
  void refusesWhatIsNoResourceName(String name) {
    assertThat(fields(queue(q -> q.addResourceGroups(group(list("f"), list(name))))))
        .contains("resourceGroups[0].coveredResources[0]");
  }

  @Test
  void refusesQuotasInAnotherOrderThanTheCoveredResources() {
    ResourceGroup group = new ResourceGroup(
        list("cpu", "memory"),
        list(FlavorQuotas.of(
            "f", ResourceQuota.ofAmount("memory", 1), ResourceQuota.ofAmount("cpu", 1))));
    assertThat(fields(queue(q -> q.addResourceGroups(group))))
        .containsExactly("resourceGroups[0].flavors[0].resources");
  }

  @Test
  void refusesQuotasForFewerResourcesThanCovered() {
    ResourceGroup group = new ResourceGroup(
        list("cpu", "memory"), list(FlavorQuotas.of("f", ResourceQuota.ofAmount("cpu", 1))));
    assertThat(fields(queue(q -> q.addResourceGroups(group))))
        .containsExactly("resourceGroups[0].flavors[0].resources");
  }

  @Test
  void refusesNegativeAmounts() {
    ClusterQueue negative = queueWith(quota(-1000, OptionalLong.of(-2000), OptionalLong.of(-3000)));
    assertThat(problems(negative))
        .containsExactly(
            "resourceGroups[0].flavors[0].resources[0].nominalQuota: -1 is negative; expected 0 or more",
            "resourceGroups[0].flavors[0].resources[0].borrowingLimit: -2 is negative; expected 0 or more",
            "resourceGroups[0].flavors[0].resources[0].lendingLimit: -3 is negative; expected 0 or more");
  }

  @Test
  void acceptsAmountsOfZero() {
    assertThat(problems(queueWith(quota(0, OptionalLong.of(0), OptionalLong.of(0)))))
        .isEmpty();
  }

  @Test
  void refusesLimitsOfAQueueWithoutCohort() {
    ClusterQueue alone = ClusterQueue.builder()
        .name("queue")
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of("f", quota(5, OptionalLong.of(1), OptionalLong.of(1)))))
        .build();
    assertThat(fields(alone))
        .containsExactly(
            "resourceGroups[0].flavors[0].resources[0].borrowingLimit",
            "resourceGroups[0].flavors[0].resources[0].lendingLimit");
  }

  @Test
  void refusesLendingMoreThanTheNominalQuotaOfAQueue() {
    assertThat(problems(queueWith(quota(5000, NONE, OptionalLong.of(5000))))).isEmpty();
    assertThat(problems(queueWith(quota(5000, NONE, OptionalLong.of(5001)))))
        .containsExactly(
            "resourceGroups[0].flavors[0].resources[0].lendingLimit: 5001m is more than"
                + " the nominal quota of 5; expected at most that");
  }

  @Test
  void aCohortMayLendMoreThanItsNominalQuota() {
    assertThat(problems(cohort(true, quota(0, NONE, OptionalLong.of(5000))))).isEmpty();
  }

  @Test
  void refusesLimitsOfACohortWithoutParent() {
    assertThat(fields(cohort(false, quota(5, OptionalLong.of(1), OptionalLong.of(1)))))
        .containsExactly(
            "resourceGroups[0].flavors[0].resources[0].borrowingLimit",
            "resourceGroups[0].flavors[0].resources[0].lendingLimit");
  }

  @Test
  void findsEveryViolationOfAllGroupsAtOnce() {
    ClusterQueue bad = queue(q -> q.addResourceGroups(
        group(list("f", "f"), list("cpu")),
        ResourceGroup.of(FlavorQuotas.of("g", quota(-1, NONE, OptionalLong.of(2))))));
    assertThat(fields(bad))
        .containsExactly(
            "resourceGroups[0].flavors[1].name",
            "resourceGroups[1].coveredResources[0]",
            "resourceGroups[1].flavors[0].resources[0].nominalQuota",
            "resourceGroups[1].flavors[0].resources[0].lendingLimit");
  }
}
