package io.kueue4j.core.internal.flavor;

import static io.kueue4j.core.internal.flavor.FlavorFixture.disk;
import static io.kueue4j.core.internal.flavor.FlavorFixture.gpu;
import static io.kueue4j.core.internal.flavor.FlavorFixture.gpus;
import static io.kueue4j.core.internal.flavor.FlavorFixture.pods;
import static io.kueue4j.core.internal.flavor.FlavorFixture.spec;
import static io.kueue4j.core.model.FlavorFungibility.Policy.MAY_STOP_SEARCH;
import static io.kueue4j.core.model.FlavorFungibility.Policy.TRY_NEXT_FLAVOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.AssignmentMode;
import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of several flavors is taken: when the walk stops, what it prefers, where it goes on. */
class FlavorChoiceTest {
  private static final PodSet PODS = gpus("main", 3);
  private static final FlavorFungibility ALL_BY_DEFAULT_PREFERENCE =
      new FlavorFungibility(TRY_NEXT_FLAVOR, TRY_NEXT_FLAVOR, Optional.empty());
  private static final FlavorFungibility PREEMPTION_FIRST = new FlavorFungibility(
      TRY_NEXT_FLAVOR, TRY_NEXT_FLAVOR, Optional.of(Preference.PREEMPTION_OVER_BORROWING));

  private final FlavorFixture fixture = new FlavorFixture();

  /** How three GPUs fit into a flavor, unless a tainted flavor refuses them. */
  enum State {
    FIT(5, 0, 0),
    BORROW(0, 5, 0),
    PREEMPT(5, 0, 5),
    PREEMPT_BORROWING(5, 0, 5),
    RECLAIM(5, 0, 5),
    RECLAIM_BORROWING(5, 0, 5),
    NO_CANDIDATES(5, 0, 5),
    NO_FIT(0, 0, 0),
    TAINTED(5, 0, 0);

    final long nominal;
    final long lent;
    final long used;

    State(long nominal, long lent, long used) {
      this.nominal = nominal;
      this.lent = lent;
      this.used = used;
    }
  }

  /** A queue with the flavors f0, f1 …, each in the state given. */
  private QueueQuota queue(FlavorFungibility fungibility, String states) {
    String[] names = states.split(" ", -1);
    FlavorQuotas[] own = new FlavorQuotas[names.length];
    FlavorQuotas[] lent = new FlavorQuotas[names.length];
    for (int i = 0; i < names.length; i++) {
      State state = State.valueOf(names[i]);
      own[i] = FlavorQuotas.of("f" + i, gpu(state.nominal));
      lent[i] = FlavorQuotas.of("f" + i, gpu(state.lent));
    }
    fixture.queue("lender", lent);
    QueueQuota queue = fixture.queue(spec("queue", own).flavorFungibility(fungibility));
    for (int i = 0; i < names.length; i++) {
      State state = State.valueOf(names[i]);
      String flavor = "f" + i;
      fixture.use(queue, flavor, "gpu", state.used);
      switch (state) {
        case PREEMPT -> fixture.answer(flavor, "gpu", FlavorFit.PREEMPT, 0);
        case PREEMPT_BORROWING -> fixture.answer(flavor, "gpu", FlavorFit.PREEMPT, 1);
        case RECLAIM -> fixture.answer(flavor, "gpu", FlavorFit.RECLAIM, 0);
        case RECLAIM_BORROWING -> fixture.answer(flavor, "gpu", FlavorFit.RECLAIM, 1);
        case TAINTED -> fixture.taint(flavor);
        default -> {}
      }
    }
    return queue;
  }

  private String chosenFlavor(Assignment assignment) {
    return assignment.podSets().isEmpty()
        ? "none"
        : assignment.podSets().get(0).pair(0).flavor();
  }

  /** The flavor that the next walk starts at. */
  private int resumeAt(QueueQuota queue, Assignment assignment) {
    return fixture.progress(queue, assignment, PODS).resumeAt(0, fixture.catalog.resource("gpu"));
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "FIT, MAY_STOP_SEARCH, MAY_STOP_SEARCH, true",
    "FIT, TRY_NEXT_FLAVOR, TRY_NEXT_FLAVOR, true",
    "BORROW, MAY_STOP_SEARCH, MAY_STOP_SEARCH, true",
    "BORROW, MAY_STOP_SEARCH, TRY_NEXT_FLAVOR, true",
    "BORROW, TRY_NEXT_FLAVOR, MAY_STOP_SEARCH, false",
    "BORROW, TRY_NEXT_FLAVOR, TRY_NEXT_FLAVOR, false",
    "PREEMPT, MAY_STOP_SEARCH, MAY_STOP_SEARCH, true",
    "PREEMPT, TRY_NEXT_FLAVOR, MAY_STOP_SEARCH, true",
    "PREEMPT, MAY_STOP_SEARCH, TRY_NEXT_FLAVOR, false",
    "PREEMPT, TRY_NEXT_FLAVOR, TRY_NEXT_FLAVOR, false",
    "RECLAIM, MAY_STOP_SEARCH, MAY_STOP_SEARCH, true",
    "RECLAIM, MAY_STOP_SEARCH, TRY_NEXT_FLAVOR, false",
    "PREEMPT_BORROWING, MAY_STOP_SEARCH, MAY_STOP_SEARCH, true",
    "PREEMPT_BORROWING, TRY_NEXT_FLAVOR, MAY_STOP_SEARCH, false",
    "PREEMPT_BORROWING, MAY_STOP_SEARCH, TRY_NEXT_FLAVOR, false",
    "RECLAIM_BORROWING, TRY_NEXT_FLAVOR, MAY_STOP_SEARCH, false",
    "NO_CANDIDATES, MAY_STOP_SEARCH, MAY_STOP_SEARCH, false",
    "NO_FIT, MAY_STOP_SEARCH, MAY_STOP_SEARCH, false",
    "TAINTED, MAY_STOP_SEARCH, MAY_STOP_SEARCH, false"
  })
  void walkStopsByThePolicies(
      State first, Policy whenCanBorrow, Policy whenCanPreempt, boolean stops) {
    QueueQuota queue = queue(
        new FlavorFungibility(whenCanBorrow, whenCanPreempt, Optional.empty()), first + " FIT");

    assertThat(chosenFlavor(fixture.assign(queue, PODS))).isEqualTo(stops ? "f0" : "f1");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "PREEMPT BORROW, f1, f0",
    "BORROW PREEMPT, f0, f1",
    "PREEMPT RECLAIM, f1, f1",
    "RECLAIM_BORROWING PREEMPT, f0, f1",
    "PREEMPT_BORROWING PREEMPT, f1, f1",
    "NO_CANDIDATES PREEMPT_BORROWING, f1, f1",
    "NO_CANDIDATES BORROW, f1, f1",
    "BORROW NO_CANDIDATES, f0, f0",
    "NO_FIT NO_CANDIDATES, f1, f1",
    "NO_CANDIDATES NO_FIT, f0, f0",
    "NO_FIT NO_FIT, none, none",
    "TAINTED NO_FIT, none, none",
    "BORROW BORROW, f0, f0",
    "PREEMPT PREEMPT, f0, f0",
    "RECLAIM RECLAIM, f0, f0",
    "NO_CANDIDATES NO_CANDIDATES, f0, f0",
    "TAINTED BORROW PREEMPT, f1, f2",
    "PREEMPT BORROW FIT, f2, f2"
  })
  void walkThatDoesNotStopTakesTheBestAndOfEqualsTheFirst(
      String states, String byDefault, String preemptionFirst) {
    assertThat(new FlavorChoiceTest().choose(ALL_BY_DEFAULT_PREFERENCE, states))
        .isEqualTo(byDefault);
    assertThat(new FlavorChoiceTest().choose(PREEMPTION_FIRST, states)).isEqualTo(preemptionFirst);
  }

  private String choose(FlavorFungibility fungibility, String states) {
    return chosenFlavor(fixture.assign(queue(fungibility, states), PODS));
  }

  @Test
  void flavorThatStopsTheWalkIsTakenThoughAnEarlierOneIsBetter() {
    FlavorFungibility fungibility =
        new FlavorFungibility(TRY_NEXT_FLAVOR, MAY_STOP_SEARCH, Optional.empty());

    Assignment assignment = fixture.assign(queue(fungibility, "BORROW PREEMPT FIT"), PODS);

    assertThat(chosenFlavor(assignment)).isEqualTo("f1");
    assertThat(assignment.mode()).isEqualTo(AssignmentMode.PREEMPT);
  }

  @Nested
  class ScanProgressKept {
    @Test
    void goesOnBehindTheFlavorThatStoppedTheWalk() {
      QueueQuota queue = queue(FlavorFungibility.DEFAULT, "NO_FIT FIT FIT FIT");
      Assignment first = fixture.assign(queue, PODS);

      assertThat(chosenFlavor(first)).isEqualTo("f1");
      assertThat(resumeAt(queue, first)).isEqualTo(2);
      assertThat(chosenFlavor(fixture.resume(queue, first, PODS))).isEqualTo("f2");
    }

    @Test
    void startsAgainAfterTheLastFlavorStoppedTheWalk() {
      QueueQuota queue = queue(FlavorFungibility.DEFAULT, "NO_FIT FIT");
      Assignment first = fixture.assign(queue, PODS);

      assertThat(resumeAt(queue, first)).isZero();
      assertThat(fixture.progress(queue, first, PODS).hasPendingFlavors()).isFalse();
    }

    @Test
    void startsAgainAfterAWalkThatEnded() {
      QueueQuota queue = queue(ALL_BY_DEFAULT_PREFERENCE, "BORROW PREEMPT TAINTED");
      Assignment first = fixture.assign(queue, PODS);

      assertThat(chosenFlavor(first)).isEqualTo("f0");
      assertThat(resumeAt(queue, first)).isZero();
    }

    @Test
    void hasPendingFlavorsIfTheWalkStoppedEarly() {
      QueueQuota queue = queue(FlavorFungibility.DEFAULT, "FIT TAINTED");
      Assignment first = fixture.assign(queue, PODS);

      assertThat(fixture.progress(queue, first, PODS).hasPendingFlavors()).isTrue();
    }

    @Test
    void hasNoPendingFlavorsIfNothingWasFound() {
      QueueQuota queue = queue(FlavorFungibility.DEFAULT, "NO_FIT NO_FIT");

      assertThat(fixture.progress(queue, fixture.assign(queue, PODS), PODS).hasPendingFlavors())
          .isFalse();
    }

    @Test
    void findsNothingIfOnlyFlavorsBeforeItWouldDo() {
      QueueQuota queue = queue(FlavorFungibility.DEFAULT, "FIT NO_FIT NO_FIT");
      Assignment first = fixture.assign(queue, PODS);

      assertThat(fixture.resume(queue, first, PODS).mode()).isEqualTo(AssignmentMode.NO_FIT);
    }

    @ParameterizedTest
    @CsvSource({
      "TAINTED NO_FIT FIT NO_FIT, "
          + "UNTOLERATED_TAINT f0 EXCEEDS_MAXIMUM f1 INSUFFICIENT_QUOTA f2 EXCEEDS_MAXIMUM f3",
      "FIT NO_CANDIDATES, INSUFFICIENT_QUOTA f0 NO_PREEMPTION_CANDIDATES f1",
      "FIT PREEMPT, INSUFFICIENT_QUOTA f0 INSUFFICIENT_QUOTA f1",
      "NO_FIT FIT FIT, ''"
    })
    void aWalkThatFindsNoRoomNamesTheFlavorsBeforeItToo(String states, String reasons) {
      QueueQuota queue = queue(FlavorFungibility.DEFAULT, states);
      Assignment first = fixture.assign(queue, PODS);

      assertThat(String.join(" ", fixture.reasons(fixture.resume(queue, first, PODS), PODS)))
          .isEqualTo(reasons);
    }

    @ParameterizedTest
    @CsvSource({"f0 f2, f2", "f0 f1 f2, f1", "f0 f1 f2 f3, f3"})
    void startsAtTheFirstFlavorIfTheListHasBecomeShorter(String flavors, String chosen) {
      QueueQuota queue = queue(FlavorFungibility.DEFAULT, "NO_FIT NO_FIT FIT FIT");
      Assignment first = fixture.assign(queue, PODS);
      assertThat(resumeAt(queue, first)).isEqualTo(3);

      FlavorQuotas[] shortened = Arrays.stream(flavors.split(" ", -1))
          .map(flavor -> FlavorQuotas.of(flavor, gpu(flavor.equals("f0") ? 0 : 5)))
          .toArray(FlavorQuotas[]::new);
      fixture.queue(spec("queue", shortened));
      Assignment second = fixture.resume(queue, first, PODS);

      assertThat(chosenFlavor(second)).isEqualTo(chosen);
      assertThat(fixture.usage(second)).containsExactly(chosen + "/gpu=3");
    }

    @Test
    void isThatOfTheResourceThatStartsTheSearch() {
      PodSet noResourceTriedBefore = pods("main", 3).requestAmount("disk", 1).build();
      QueueQuota queue = fixture.queue(
          "queue", FlavorQuotas.of("f0", gpu(5), disk(5)), FlavorQuotas.of("f1", gpu(5), disk(5)));
      Assignment first = fixture.assign(queue, PODS);

      Assignment second = fixture.resume(queue, first, noResourceTriedBefore);

      assertThat(chosenFlavor(second)).isEqualTo("f0");
    }

    @Test
    void isThatOfTheFirstPodSetOfAGroup() {
      PodSet leader = pods("leader", 1).requestAmount("gpu", 1).group("g").build();
      PodSet worker = pods("worker", 1).requestAmount("disk", 1).group("g").build();
      QueueQuota queue = fixture.queue(
          "queue", FlavorQuotas.of("f0", gpu(5), disk(5)), FlavorQuotas.of("f1", gpu(5), disk(5)));
      Assignment first = fixture.assign(queue, leader, worker);
      assertThat(fixture.progress(queue, first, leader, worker).hasPendingFlavors())
          .isTrue();

      Assignment second = fixture.resume(queue, first, leader, worker);

      assertThat(chosenFlavor(second))
          .as("disk is met first, and the leader has no progress for it")
          .isEqualTo("f0");
    }
  }

  @Nested
  class WithoutFungibility {
    @Test
    void firstFitStopsTheWalkWhateverItBorrows() {
      off();

      assertThat(choose(ALL_BY_DEFAULT_PREFERENCE, "BORROW FIT")).isEqualTo("f0");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
      "PREEMPT FIT, f1",
      "PREEMPT RECLAIM_BORROWING, f1",
      "RECLAIM_BORROWING RECLAIM, f0",
      "PREEMPT_BORROWING PREEMPT, f0",
      "NO_CANDIDATES PREEMPT_BORROWING, f1",
      "NO_FIT NO_CANDIDATES, f1",
      "NO_FIT NO_FIT, none"
    })
    void highestModeWinsWhateverTheLevel(String states, String flavor) {
      off();

      assertThat(choose(
              new FlavorFungibility(MAY_STOP_SEARCH, MAY_STOP_SEARCH, Optional.empty()), states))
          .isEqualTo(flavor);
    }

    @Test
    void walkAlwaysStartsAtTheFirstFlavor() {
      off();
      QueueQuota queue = queue(FlavorFungibility.DEFAULT, "FIT FIT");
      Assignment first = fixture.assign(queue, PODS);

      assertThat(chosenFlavor(fixture.resume(queue, first, PODS))).isEqualTo("f0");
    }

    @Test
    void everyAssignmentHasPendingFlavors() {
      off();
      QueueQuota queue = queue(FlavorFungibility.DEFAULT, "NO_CANDIDATES");
      Assignment first = fixture.assign(queue, PODS);

      assertThat(first.mode()).isEqualTo(AssignmentMode.PREEMPT);
      assertThat(fixture.progress(queue, first, PODS).hasPendingFlavors()).isTrue();
    }

    private void off() {
      fixture.use(Settings.builder().putFeatureGates(FeatureGate.FLAVOR_FUNGIBILITY, false));
    }
  }
}
