package io.kueue4j.core.internal.flavor;

import static io.kueue4j.core.internal.flavor.FlavorFixture.disk;
import static io.kueue4j.core.internal.flavor.FlavorFixture.gpu;
import static io.kueue4j.core.internal.flavor.FlavorFixture.gpus;
import static io.kueue4j.core.internal.flavor.FlavorFixture.pods;
import static io.kueue4j.core.internal.flavor.FlavorFixture.reserved;
import static io.kueue4j.core.internal.flavor.FlavorFixture.spec;
import static io.kueue4j.core.internal.flavor.FlavorFixture.spot;
import static io.kueue4j.core.internal.flavor.FlavorFixture.ssd;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.AssignmentMode;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which flavors a walk rejects, and the reasons that it records. */
class WalkReasonsTest {
  private final FlavorFixture fixture = new FlavorFixture();

  @Nested
  class Eligibility {
    @Test
    void ineligibleFlavorsArePassedOver() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)), reserved(gpu(5)));
      fixture.taint("spot");

      assertThat(fixture.chosen(fixture.assign(queue, gpus("main", 1)), gpus("main", 1)))
          .containsExactly("main: 1 reserved/gpu");
    }

    @Test
    void missingFlavorsArePassedOver() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)), reserved(gpu(5)));
      fixture.flavors.remove("spot");

      assertThat(fixture.chosen(fixture.assign(queue, gpus("main", 1)), gpus("main", 1)))
          .containsExactly("main: 1 reserved/gpu");
    }

    @Test
    void unreadableAffinityFailsWithoutLookingAtFurtherFlavors() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)), reserved(gpu(5)));
      fixture.flavors.put(
          ResourceFlavor.builder().name("spot").putNodeLabels("zone", "a").build());
      PodSet unreadable = pods("main", 1)
          .requestAmount("gpu", 1)
          .addAllNodeAffinity(List.of(NodeSelectorTerm.of(LabelRequirement.in("zone"))))
          .build();

      Assignment assignment = fixture.assign(queue, unreadable);

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.NO_FIT);
      assertThat(assignment.cause()).isEqualTo(PendingCause.NO_MATCHING_FLAVOR);
      assertThat(fixture.reasons(assignment, unreadable))
          .containsExactly("INVALID_NODE_AFFINITY spot");
    }

    @Test
    void unreadableAffinityIsNotMetIfAnEarlierFlavorStopsTheWalk() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)), reserved(gpu(5)));
      fixture.flavors.put(
          ResourceFlavor.builder().name("reserved").putNodeLabels("zone", "a").build());
      PodSet unreadable = pods("main", 1)
          .requestAmount("gpu", 1)
          .addAllNodeAffinity(List.of(NodeSelectorTerm.of(LabelRequirement.in("zone"))))
          .build();

      assertThat(fixture.assign(queue, unreadable).mode()).isEqualTo(AssignmentMode.FIT);
    }
  }

  @Nested
  class Causes {
    /** Flavor {@code exceeding} has too little in all, {@code waiting} is only in use. */
    private QueueQuota queue(String... flavors) {
      FlavorQuotas[] own = new FlavorQuotas[flavors.length];
      FlavorQuotas[] lent = new FlavorQuotas[flavors.length];
      for (int i = 0; i < flavors.length; i++) {
        own[i] = FlavorQuotas.of(flavors[i], gpu(0));
        lent[i] = FlavorQuotas.of(flavors[i], gpu(flavors[i].equals("exceeding") ? 0 : 5));
      }
      QueueQuota lender = fixture.queue("lender", lent);
      QueueQuota queue = fixture.queue("queue", own);
      for (String flavor : flavors) {
        if (flavor.equals("waiting")) {
          fixture.use(lender, flavor, "gpu", 5);
        }
        if (flavor.equals("tainted")) {
          fixture.taint(flavor);
        }
      }
      return queue;
    }

    @ParameterizedTest
    @CsvSource({
      "tainted, NO_MATCHING_FLAVOR",
      "exceeding, EXCEEDS_MAX_QUOTA",
      "waiting, WAITING_FOR_QUOTA",
      "tainted exceeding, EXCEEDS_MAX_QUOTA",
      "exceeding tainted, EXCEEDS_MAX_QUOTA",
      "exceeding waiting, WAITING_FOR_QUOTA",
      "waiting exceeding, WAITING_FOR_QUOTA",
      "waiting tainted, WAITING_FOR_QUOTA",
      "tainted exceeding waiting, WAITING_FOR_QUOTA"
    })
    void areThoseOfTheLeastSevereFlavor(String flavors, PendingCause cause) {
      assertThat(fixture.assign(queue(flavors.split(" ", -1)), gpus("main", 1)).cause())
          .isEqualTo(cause);
    }

    @Test
    void areTheMostSevereOfTheResourcesOfAFlavor() {
      QueueQuota lender = fixture.queue("lender", spot(gpu(5), disk(0)));
      QueueQuota queue = fixture.queue("queue", spot(gpu(0), disk(0)));
      fixture.use(lender, "spot", "gpu", 5);
      PodSet podSet =
          pods("main", 1).requestAmount("gpu", 1).requestAmount("disk", 1).build();

      assertThat(fixture.assign(queue, podSet).cause()).isEqualTo(PendingCause.EXCEEDS_MAX_QUOTA);
    }

    @Test
    void areThoseOfTheFailingPodSet() {
      QueueQuota queue = queue("exceeding", "free");

      assertThat(fixture.assign(queue, gpus("fits", 5), gpus("fails", 1)).cause())
          .isEqualTo(PendingCause.EXCEEDS_MAX_QUOTA);
    }
  }

  @Test
  void reasonsOfFlavorsBeforeAFittingOneAreDropped() {
    QueueQuota queue = fixture.queue("queue", spot(gpu(1)), reserved(gpu(5)));

    assertThat(fixture.reasons(fixture.assign(queue, gpus("main", 3)), gpus("main", 3)))
        .isEmpty();
  }

  @Test
  void reasonsOfAnEarlierGroupAreKeptIfALaterOneFits() {
    QueueQuota queue =
        fixture.queue(spec("queue", spot(gpu(5))).addResourceGroups(ResourceGroup.of(ssd(5))));
    fixture.use(queue, "spot", "gpu", 4);
    PodSet[] podSets = {gpus("a", 2), pods("b", 1).requestAmount("disk", 1).build()};

    assertThat(fixture.reasons(fixture.assign(queue, podSets), podSets))
        .containsExactly("NO_PREEMPTION_CANDIDATES spot");
  }

  @Test
  void reasonsOfAllFlavorsAreKeptIfNoneFits() {
    QueueQuota queue = fixture.queue("queue", spot(gpu(1)), reserved(gpu(2)));
    fixture.taint("spot");

    assertThat(fixture.reasons(fixture.assign(queue, gpus("main", 3)), gpus("main", 3)))
        .containsExactly("UNTOLERATED_TAINT spot", "EXCEEDS_MAXIMUM reserved");
  }
}
