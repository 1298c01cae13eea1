package io.kueue4j.core.internal.fairness;

import static io.kueue4j.core.internal.fairness.GpuCohorts.FLAVOR;
import static io.kueue4j.core.internal.fairness.GpuCohorts.GPU;
import static io.kueue4j.core.internal.fairness.GpuCohorts.cohort;
import static io.kueue4j.core.internal.fairness.GpuCohorts.flavors;
import static io.kueue4j.core.internal.fairness.GpuCohorts.gpus;
import static io.kueue4j.core.internal.fairness.GpuCohorts.group;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.Amount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareTest {
  private final GpuCohorts cohorts = new GpuCohorts();

  @ParameterizedTest
  @CsvSource({"1, 300", "2, 150", "0.5, 600", "0, Infinity"})
  void isTheBorrowedPartOfWhatTheCohortLendsByWeight(double weight, double expected) {
    cohorts
        .with(queue("a", "c", 2).fairSharingWeight(weight), queue("b", "c", 8))
        .use("a", 5);

    assertThat(cohorts.share("a").ratio()).isEqualTo(300);
    assertThat(cohorts.share("a").weighted()).isEqualTo(expected);
    assertThat(cohorts.share("a").isInfinite()).isEqualTo(weight == 0);
  }

  @ParameterizedTest
  @CsvSource({"1, 300", "7, 43", "0, 9223372036854775807"})
  void isShownRoundedUp(double weight, long expected) {
    cohorts
        .with(queue("a", "c", 2).fairSharingWeight(weight), queue("b", "c", 8))
        .use("a", 5);

    assertThat(cohorts.share("a").reported()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "7, 1", "8, 1", "8, 0"})
  void isZeroUpToTheNominalQuotaWhateverTheWeight(long used, double weight) {
    cohorts
        .with(queue("a", "c", 2), queue("b", "c", 8).fairSharingWeight(weight))
        .use("b", used);

    assertThat(cohorts.share("b").borrows()).isFalse();
    assertThat(cohorts.share("b").weighted()).isZero();
    assertThat(cohorts.share("b").isInfinite()).isFalse();
  }

  @Test
  void isTinyButNotZeroWhenLentWithoutBound() {
    cohorts.with(queue("a", "c", 0), queue("b", "c", Amount.UNLIMITED)).use("a", 1000);

    assertThat(cohorts.share("a").weighted()).isCloseTo(1.084e-13, within(1e-15));
  }

  @Test
  void isZeroWithoutCohortEvenAboveQuota() {
    cohorts
        .with(ClusterQueue.builder().name("alone").addResourceGroups(group(gpus(2))))
        .use("alone", 5);

    assertThat(cohorts.share("alone").borrows()).isFalse();
    assertThat(cohorts.share("alone").weighted()).isZero();
  }

  @Test
  void isZeroForARootCohortEvenAboveQuota() {
    cohorts.with(queue("a", "c", 2)).use("a", 5);

    assertThat(cohorts.shareOfCohortOf("a").borrows()).isFalse();
    assertThat(cohorts.shareOfCohortOf("a").weighted()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1", "0"})
  void borrowsWithAShareOfZeroWhatNoneCouldLend(double weight) {
    cohorts
        .with(queue("a", "c", 0).fairSharingWeight(weight), queue("b", "c", 0))
        .use("a", 3);

    assertThat(cohorts.share("a").borrows()).isTrue();
    assertThat(cohorts.share("a").weighted()).isZero();
    assertThat(cohorts.share("a").isInfinite()).isFalse();
  }

  @Test
  void doesNotOffsetAFlavorBelowQuotaAgainstOneAbove() {
    cohorts
        .with(queue(
            "a",
            "c",
            flavors(FlavorQuotas.of("spot", gpus(4)), FlavorQuotas.of("reserved", gpus(6)))))
        .use("a", "spot", GPU, 7)
        .use("a", "reserved", GPU, 3);

    assertThat(cohorts.share("a").ratio()).isEqualTo(300);
  }

  @Test
  void addsWhatIsBorrowedOfOneResourceInSeveralFlavors() {
    var quotas = flavors(FlavorQuotas.of("spot", gpus(4)), FlavorQuotas.of("reserved", gpus(6)));
    cohorts
        .with(queue("a", "c", quotas), queue("b", "c", quotas))
        .use("a", "spot", GPU, 5)
        .use("a", "reserved", GPU, 9);

    assertThat(cohorts.share("a").ratio()).isEqualTo((1 + 3) * 1000.0 / 20);
  }

  @Test
  void addsWhatIsBorrowedBeyondAllNumbers() {
    long most = Amount.UNLIMITED;
    cohorts
        .with(
            queue(
                "a",
                "c",
                flavors(FlavorQuotas.of("spot", gpus(0)), FlavorQuotas.of("reserved", gpus(0)))),
            queue("b", "c", flavors(FlavorQuotas.of("spot", gpus(most)))))
        .use("a", "spot", GPU, most)
        .use("a", "reserved", GPU, most);

    assertThat(cohorts.share("a").ratio()).isEqualTo(1000);
  }

  @Test
  void isThatOfTheResourceBorrowedMostOf() {
    cohorts
        .with(
            queue("a", "c", group(gpus(0), ResourceQuota.ofAmount("disk", 0L))),
            queue("b", "c", group(gpus(10), ResourceQuota.ofAmount("disk", 100L))))
        .use("a", 3)
        .use("a", GpuCohorts.FLAVOR, "disk", 20);

    assertThat(cohorts.share("a").ratio()).isEqualTo(300);
  }

  @Test
  void leavesOutWhatTheQueueUsesWithoutDeclaringIt() {
    cohorts
        .with(
            queue("a", "c", flavors(FlavorQuotas.of("spot", gpus(4)))),
            queue("b", "c", flavors(FlavorQuotas.of("reserved", gpus(10)))))
        .use("a", "reserved", GPU, 5);

    assertThat(cohorts.share("a").borrows()).isFalse();
  }

  @Test
  void countsAtACohortWhatOneOfItsMembersDeclares() {
    cohorts
        .with(cohort("m", 0).parent("r"))
        .with(
            queue("a", "m", flavors(FlavorQuotas.of("spot", gpus(4)))),
            queue("b", "r", flavors(FlavorQuotas.of("spot", gpus(6)))))
        .use("a", "spot", GPU, 9);

    assertThat(cohorts.shareOfCohortOf("a").ratio()).isEqualTo(500);
  }

  @Test
  void comparesWithWhatTheParentCouldHaveAndNotTheRoot() {
    ResourceQuota atMostTwoMore = gpus(0).withBorrowingLimit("2");
    cohorts
        .with(
            cohort("r", 0),
            Cohort.builder().name("m").parent("r").addResourceGroups(group(atMostTwoMore)))
        .with(queue("a", "m", 4), queue("b", "m", 4), queue("c", "r", 12))
        .use("a", 9);

    assertThat(cohorts.share("a").ratio()).isEqualTo(5 * 1000.0 / 10);
    assertThat(cohorts.shareOfCohortOf("a").ratio()).isEqualTo(1 * 1000.0 / 20);
  }

  @Test
  void comparesEachResourceWithWhatTheParentCouldHaveOfIt() {
    var limits = group(
        gpus(0).withBorrowingLimit("5"),
        ResourceQuota.ofAmount("disk", 0L).withBorrowingLimit("50"));
    cohorts
        .with(cohort("r", 0), Cohort.builder().name("m").parent("r").addResourceGroups(limits))
        .with(
            queue("a", "m", group(gpus(0), ResourceQuota.ofAmount("disk", 0L))),
            queue("c", "r", group(gpus(10), ResourceQuota.ofAmount("disk", 100L))))
        .use("a", 2)
        .use("a", FLAVOR, "disk", 30);

    assertThat(cohorts.share("a").ratio()).as("30 of 50 disks").isEqualTo(600);
  }

  @Test
  void leavesOutWhatIsNotLent() {
    cohorts
        .with(queue("a", "c", 4), queue("b", "c", group(gpus(12).withLendingLimit("2"))))
        .use("a", 7);

    assertThat(cohorts.share("a").ratio()).isEqualTo(3 * 1000.0 / 6);
  }

  @Test
  void ofACohortIsWhatItsMembersTogetherBorrow() {
    cohorts
        .with(cohort("m", 0).parent("r"))
        .with(queue("a", "m", 4), queue("b", "m", 4), queue("c", "r", 12))
        .use("a", 7)
        .use("b", 4);

    assertThat(cohorts.shareOfCohortOf("a").ratio()).isEqualTo(3 * 1000.0 / 20);
  }

  @Test
  void ofACohortHasTheWeightOfTheCohort() {
    cohorts
        .with(cohort("m", 0).parent("r").fairSharingWeight(3))
        .with(queue("a", "m", 4), queue("c", "r", 16))
        .use("a", 7);

    assertThat(cohorts.shareOfCohortOf("a").weighted()).isEqualTo(50);
  }

  /**
   * Each share as ratio and weight; the sign is the result of comparing the first with the second.
   */
  @ParameterizedTest
  @CsvSource({
    "300, 1, 300, 1, 0",
    "300, 2, 200, 1, -1",
    "300, 1, 200, 2, 1",
    "300, 1, 300.0000001, 1, -1",
    "1, 0, 1000000, 0.001, 1",
    "1000000, 0.001, 1, 0, -1",
    "2, 0, 3, 0, -1",
    "3, 0, 2, 0, 1",
    "3, 0, 3, 0, 0",
    "0, 0, 1, 1, -1",
    "0, 0, 0, 1, 0",
    "0, 0, 1, 0, -1"
  })
  void comparesByWeightAndPutsBorrowingWithoutWeightLast(
      double ratio, double weight, double otherRatio, double otherWeight, int sign) {
    Share some = new Share(ratio > 0, ratio, weight);
    Share other = new Share(otherRatio > 0, otherRatio, otherWeight);

    assertThat(Integer.signum(some.compareTo(other))).isEqualTo(sign);
    assertThat(Integer.signum(other.compareTo(some))).isEqualTo(-sign);
  }
}
