package io.kueue4j.core.internal.fairness;

import static io.kueue4j.core.internal.fairness.GpuCohorts.FLAVOR;
import static io.kueue4j.core.internal.fairness.GpuCohorts.GPU;
import static io.kueue4j.core.internal.fairness.GpuCohorts.cohort;
import static io.kueue4j.core.internal.fairness.GpuCohorts.flavors;
import static io.kueue4j.core.internal.fairness.GpuCohorts.gpus;
import static io.kueue4j.core.internal.fairness.GpuCohorts.group;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class TournamentTest {
  private final GpuCohorts cohorts = new GpuCohorts();
  private final List<TestContender> contenders = new ArrayList<>();
  private boolean prefersNonBorrowing;

  private void ask(String queue, long gpus) {
    ask(queue, gpus, 0);
  }

  private void ask(String queue, long gpus, int rank) {
    contenders.add(TestContender.of(cohorts, queue, gpus, false, rank));
  }

  private void askAsPreemptor(String queue, long gpus) {
    contenders.add(TestContender.of(cohorts, queue, gpus, true, 0));
  }

  /** {@return the queues in the order in which they win, without admissions in between} */
  private List<String> order() {
    return order(List.of());
  }

  /** {@return the queues in the order in which they go while {@code admitted} are admitted} */
  private List<String> order(List<String> admitted) {
    List<String> order = new ArrayList<>();
    Tournament<TestContender> tournament =
        new Tournament<>(contenders, prefersNonBorrowing, UnaryOperator.identity());
    for (TestContender next = tournament.next(); next != null; next = tournament.next()) {
      order.add(next.queue().name());
      if (admitted.contains(next.queue().name())) {
        next.charge();
      }
    }
    return order;
  }

  @Test
  void theSmallerShareGoesFirst() {
    cohorts
        .with(queue("a", "c", 2), queue("b", "c", 2), queue("d", "c", 8))
        .use("a", 5)
        .use("b", 3);
    ask("a", 1);
    ask("b", 1);

    assertThat(order()).containsExactly("b", "a");
  }

  @Test
  void everyoneIsJudgedAsIfAdmitted() {
    cohorts.with(queue("a", "c", 2), queue("b", "c", 2), queue("d", "c", 8)).use("b", 3);
    ask("a", 8);
    ask("b", 1);

    assertThat(order()).containsExactly("b", "a");
  }

  @Test
  void usageIsAsBeforeWhenSomebodyWasChosen() {
    cohorts.with(queue("a", "c", 2), queue("b", "c", 2)).use("b", 3);
    ask("a", 8);
    ask("b", 1);

    order();

    assertThat(cohorts.queue("a").usage(cohorts.gpuPair())).isZero();
    assertThat(cohorts.queue("b").usage(cohorts.gpuPair())).isEqualTo(3);
    assertThat(cohorts.queue("a").tree().isInTrial()).isFalse();
  }

  @Test
  void usageIsAsBeforeAfterAFailureInTheMiddle() {
    cohorts.with(queue("a", "c", 2), queue("b", "c", 2)).use("b", 3);
    contenders.add(new TestContender(
        cohorts.queue("b"),
        ImmutableList.of(cohorts.gpuPair(), cohorts.gpuPair()),
        ImmutableLongArray.of(5),
        false,
        0));

    assertThatThrownBy(this::order).isInstanceOf(IndexOutOfBoundsException.class);

    assertThat(cohorts.queue("b").usage(cohorts.gpuPair())).isEqualTo(3);
    assertThat(cohorts.queue("b").tree().isInTrial()).isFalse();
  }

  @Test
  void theWeightCounts() {
    cohorts.with(queue("a", "c", 0), queue("b", "c", 0).fairSharingWeight(3), queue("d", "c", 9));
    ask("a", 2);
    ask("b", 4);

    assertThat(order()).containsExactly("b", "a");
  }

  @Test
  void aPreemptorGoesFirstWhateverTheShares() {
    cohorts.with(queue("a", "c", 2), queue("b", "c", 2)).use("b", 2);
    prefersNonBorrowing = true;
    ask("a", 1);
    askAsPreemptor("b", 2);

    assertThat(order()).containsExactly("b", "a");
  }

  private void borrowOfAnotherFlavorThanAskedFor() {
    cohorts
        .with(
            queue(
                "a",
                "c",
                flavors(FlavorQuotas.of(FLAVOR, gpus(5)), FlavorQuotas.of("spot", gpus(0)))),
            queue("b", "c", 0),
            queue(
                "d",
                "c",
                flavors(FlavorQuotas.of(FLAVOR, gpus(5)), FlavorQuotas.of("spot", gpus(20)))))
        .use("a", "spot", GPU, 5);
    ask("b", 1);
  }

  @Test
  void aQueueThatDoesNotBorrowForItsHeadGoesFirst() {
    borrowOfAnotherFlavorThanAskedFor();
    ask("a", 1);
    prefersNonBorrowing = true;

    assertThat(order()).containsExactly("a", "b");
  }

  @Test
  void withoutPreferenceForThoseWhoDoNotBorrowSharesDecide() {
    borrowOfAnotherFlavorThanAskedFor();
    ask("a", 1);

    assertThat(order()).containsExactly("b", "a");
  }

  @Test
  void nothingAskedForIsNotBorrowed() {
    borrowOfAnotherFlavorThanAskedFor();
    contenders.add(new TestContender(
        cohorts.queue("a"),
        ImmutableList.of(cohorts.pair(FLAVOR, GPU), cohorts.pair("spot", GPU)),
        ImmutableLongArray.of(1, 0),
        false,
        0));
    prefersNonBorrowing = true;

    assertThat(order()).containsExactly("a", "b");
  }

  @Test
  void equalSharesAreLeftToTheContenders() {
    cohorts.with(queue("a", "c", 2), queue("b", "c", 2), queue("d", "c", 2));
    ask("a", 1, 3);
    ask("b", 2, 1);
    ask("d", 1, 2);

    assertThat(order()).containsExactly("b", "d", "a");
  }

  @Test
  void aQueueWithoutACohortTakesPartAlone() {
    cohorts.with(ClusterQueue.builder().name("alone").addResourceGroups(group(gpus(1))));
    cohorts.with(queue("b", "c", 2)).use("alone", 7);
    ask("b", 1);
    ask("alone", 5);

    assertThat(order()).containsExactlyInAnyOrder("alone", "b");
  }

  @Test
  void noneGoesWhenNoneTakesPart() {
    assertThat(new Tournament<TestContender>(List.of(), true, UnaryOperator.identity()).next())
        .isNull();
  }

  /** In cohort m, a has nothing yet but its neighbour n has taken most; c stands outside. */
  private void heavyNeighbour() {
    cohorts
        .with(cohort("m", 0).parent("r"), cohort("r", 20))
        .with(queue("a", "m", 0), queue("n", "m", 0), queue("c", "r", 0))
        .use("n", 10)
        .use("c", 5);
  }

  @Test
  void acrossCohortsTheSharesOfTheCohortsCount() {
    heavyNeighbour();
    ask("a", 1);
    ask("c", 1);

    assertThat(order()).containsExactly("c", "a");
  }

  @Test
  void withinACohortTheSharesOfItsMembersCount() {
    heavyNeighbour();
    ask("a", 1);
    ask("n", 1);

    assertThat(order()).containsExactly("a", "n");
  }

  @Test
  void aLoserWithinASmallCohortWaitsForTheWinner() {
    cohorts
        .with(cohort("m", 0).parent("r"), cohort("r", 30))
        .with(queue("a", "m", 0), queue("b", "m", 0), queue("c", "r", 0))
        .use("b", 2)
        .use("c", 9);
    ask("a", 1);
    ask("b", 1);
    ask("c", 1);

    assertThat(order()).containsExactly("a", "b", "c");
  }

  @Test
  void whatTheWinnerTookCountsForItsCohort() {
    cohorts
        .with(cohort("m", 0).parent("r"), cohort("r", 30))
        .with(queue("a", "m", 0), queue("b", "m", 0), queue("c", "r", 0));
    ask("a", 4);
    ask("b", 4);
    ask("c", 5);

    assertThat(order(List.of("a"))).containsExactly("a", "c", "b");
  }

  @Test
  void whoWasNotAdmittedDoesNotCountForItsCohort() {
    cohorts
        .with(cohort("m", 0).parent("r"), cohort("r", 30))
        .with(queue("a", "m", 0), queue("b", "m", 0), queue("c", "r", 0));
    ask("a", 4);
    ask("b", 4);
    ask("c", 5);

    assertThat(order(List.of())).containsExactly("a", "b", "c");
  }

  @Test
  void amongEqualsACohortGoesBeforeAQueue() {
    cohorts
        .with(cohort("m", 0).parent("r"), cohort("r", 30))
        .with(queue("a", "r", 0), queue("b", "m", 0));
    ask("a", 1);
    ask("b", 1);

    assertThat(order()).containsExactly("b", "a");
  }

  @Test
  void sharesAreThoseOfTheTreeThatIsGiven() {
    cohorts.with(queue("a", "c", 2), queue("b", "c", 2)).use("a", 3);
    ask("a", 1);
    ask("b", 1);
    QueueQuota b = cohorts.queue("b");
    QuotaTree other = b.tree().copy(new Journal());
    other.add(b.node(), other.column(cohorts.gpuPair()), 4);

    Tournament<TestContender> tournament = new Tournament<>(contenders, false, tree -> other);

    assertThat(tournament.next()).isSameAs(contenders.get(0));
  }

  @Test
  void treesDoNotMeetEachOther() {
    cohorts
        .with(queue("a", "c", 0), queue("b", "c", 9), queue("x", "z", 0), queue("y", "z", 9))
        .use("a", 6)
        .use("x", 2);
    ask("a", 1);
    ask("b", 1);
    ask("x", 1);
    ask("y", 1);

    List<String> order = order();

    assertThat(order.indexOf("b")).isLessThan(order.indexOf("a"));
    assertThat(order.indexOf("y")).isLessThan(order.indexOf("x"));
  }
}
