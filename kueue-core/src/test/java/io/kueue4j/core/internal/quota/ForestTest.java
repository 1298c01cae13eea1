package io.kueue4j.core.internal.quota;

import static io.kueue4j.core.internal.quota.GpuForest.GPU;
import static io.kueue4j.core.internal.quota.GpuForest.borrowing;
import static io.kueue4j.core.internal.quota.GpuForest.lending;
import static io.kueue4j.core.internal.quota.GpuForest.queueSpec;
import static io.kueue4j.core.internal.quota.GpuForest.quota;
import static io.kueue4j.core.internal.quota.GpuForest.shareTree;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ForestTest {
  private final GpuForest gpus = new GpuForest();

  @Nested
  class Watching {
    private List<String> watching(QueueQuota queue) {
      List<String> names = new ArrayList<>();
      queue.tree().layout().watching().forEach(member -> names.add(member.name()));
      return names;
    }

    @Test
    void isToldOfThoseWhoDoOnly() {
      QueueQuota a = gpus.queue("a", "c", quota(1));
      QueueQuota b = gpus.queue("b", "c", quota(2));
      QueueQuota c = gpus.queue("c", "c", quota(2));
      c.setWatching(true);
      b.setWatching(true);

      assertThat(watching(a)).containsExactly("b", "c");

      b.setWatching(false);
      assertThat(watching(a)).containsExactly("c");
    }

    @Test
    void goesAlongToAnotherTree() {
      QueueQuota a = gpus.queue("a", "left", quota(1));
      QueueQuota b = gpus.queue("b", "left", quota(2));
      QueueQuota other = gpus.queue("other", "right", quota(2));
      a.setWatching(true);

      gpus.queue("a", "right", quota(1));

      assertThat(watching(other)).containsExactly("a");
      assertThat(watching(b)).isEmpty();
    }

    @Test
    void mayStopDuringTheRound() {
      QueueQuota a = gpus.queue("a", "c", quota(1));
      QueueQuota b = gpus.queue("b", "c", quota(2));
      a.setWatching(true);
      b.setWatching(true);
      List<String> visited = new ArrayList<>();

      a.tree().layout().watching().forEach(member -> {
        member.setWatching(false);
        visited.add(member.name());
      });

      assertThat(visited).containsExactly("a", "b");
      assertThat(watching(a)).isEmpty();
    }
  }

  @Nested
  class Queues {
    @Test
    void takeTheirUsageAlongToAnotherCohort() {
      QueueQuota a = gpus.queue("a", "old", quota(1));
      QueueQuota old = gpus.queue("b", "old", quota(5));
      QueueQuota target = gpus.queue("c", "new", quota(5));
      gpus.use(a, 4);

      gpus.queue("a", "new", quota(1));

      assertThat(gpus.usage(a)).isEqualTo(4);
      assertThat(gpus.available(old)).isEqualTo(5);
      assertThat(gpus.available(target)).isEqualTo(2);
    }

    @Test
    void takeTheirUsageAlongOutOfTheCohort() {
      QueueQuota a = gpus.queue("a", "c", quota(5));
      QueueQuota b = gpus.queue("b", "c", quota(2));
      gpus.use(a, 3);

      gpus.queue("a", quota(5));

      assertThat(gpus.available(a)).isEqualTo(2);
      assertThat(gpus.available(b)).isEqualTo(2);
      assertThat(shareTree(a, b)).isFalse();
    }

    @Test
    void takeTheirQuotaAndUsageAwayWhenRemoved() {
      QueueQuota a = gpus.queue("a", "c", quota(5));
      QueueQuota b = gpus.queue("b", "c", quota(2));
      gpus.use(a, 6);

      gpus.remove(a);

      assertThat(gpus.available(b)).isEqualTo(2);
      assertThat(gpus.treeOf(b)).containsExactly("b");
    }

    @Test
    void keepTheirIdentityThroughChanges() {
      QueueQuota a = gpus.queue("a", "c", quota(5));

      assertThat(gpus.queue("a", "d", quota(6))).isSameAs(a);
      assertThat(gpus.forest.queue("a")).containsSame(a);
    }
  }

  @Nested
  class PairsNoLongerListed {
    private final FlavorResource spot = gpus.pair("spot");
    private final QueueQuota a = gpus.put(inSpot("a", 3));
    private final QueueQuota b = gpus.put(inSpot("b", 5));

    private ClusterQueue inSpot(String name, long nominal) {
      return ClusterQueue.builder()
          .name(name)
          .cohort("c")
          .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("spot", quota(nominal))))
          .build();
    }

    private void useSpot(long amount) {
      a.tree().add(a.node(), a.tree().column(spot), amount);
    }

    @Test
    void goOnCountingAtTheQueueAndItsCohort() {
      useSpot(4);

      gpus.queue("a", "c", quota(1));

      assertThat(a.usage(spot)).isEqualTo(4);
      assertThat(b.available(spot)).as("5 of b, 4 in use").isEqualTo(1);
    }

    @Test
    void areReleasedLikeOthers() {
      useSpot(4);
      gpus.queue("a", "c", quota(1));

      a.tree().remove(a.node(), a.tree().column(spot), 4);

      assertThat(a.usage(spot)).isZero();
      assertThat(b.available(spot)).isEqualTo(5);
    }

    @Test
    void countFromTheFirstUnitWhereNoneDeclaresThem() {
      FlavorResource other = gpus.pair("other");

      gpus.forest.ensureColumns(a, new FlavorResource[] {other});
      a.tree().add(a.node(), a.tree().column(other), 2);

      assertThat(a.usage(other)).isEqualTo(2);
      int cohort = a.tree().parent(a.node());
      assertThat(a.tree().usage(cohort, a.tree().column(other))).isEqualTo(2);
      assertThat(b.usage(other)).isZero();
    }

    @Test
    void keepUsageOfEverybodyWhenColumnsAreAdded() {
      useSpot(4);

      gpus.forest.ensureColumns(b, new FlavorResource[] {gpus.pair("other")});

      assertThat(a.usage(spot)).isEqualTo(4);
      assertThat(b.available(spot)).isEqualTo(4);
    }
  }

  @Nested
  class Generations {
    private final QueueQuota a = gpus.queue("a", quota(5));

    @Test
    void startAtOne() {
      assertThat(a.generation()).isEqualTo(1);
    }

    @Test
    void advanceByOneForAChangeOfQuota() {
      gpus.queue("a", quota(6));

      assertThat(a.generation()).isEqualTo(2);
    }

    @Test
    void advanceForAChangeOfALimit() {
      gpus.queue("a", "c", quota(5));
      long before = a.generation();

      gpus.queue("a", "c", borrowing(5, 1));
      assertThat(a.generation()).isEqualTo(before + 1);

      gpus.queue("a", "c", lending(5, 1));
      assertThat(a.generation()).isEqualTo(before + 2);
    }

    @Test
    void stayForAnUnchangedQueue() {
      gpus.queue("a", quota(5));

      assertThat(a.generation()).isEqualTo(1);
    }

    @Test
    void stayForAChangeOfPoliciesOnly() {
      gpus.put(queueSpec("a", quota(5))
          .queueingStrategy(QueueingStrategy.STRICT_FIFO)
          .preemption(Preemption.builder()
              .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
              .reclaimWithinCohort(Preemption.Policy.ANY)
              .build())
          .stopPolicy(StopPolicy.HOLD)
          .build());

      assertThat(a.generation()).isEqualTo(1);
      assertThat(a.compiled().isStrictFifo()).isTrue();
    }

    @Test
    void advanceForAllQueuesOfTheTree() {
      gpus.cohort("left", "root");
      QueueQuota left = gpus.queue("l", "left", quota(1));
      QueueQuota right = gpus.queue("r", "root", quota(1));
      long before = left.generation();

      gpus.queue("r", "root", quota(2));

      assertThat(left.generation()).isEqualTo(before + 1);
      assertThat(a.generation()).as("another tree").isEqualTo(1);
      assertThat(right.generation()).isGreaterThan(1);
    }

    @Test
    void advanceInTheOldAndTheNewTreeOfAMovedQueue() {
      QueueQuota old = gpus.queue("o", "old", quota(1));
      QueueQuota target = gpus.queue("t", "new", quota(1));
      QueueQuota moved = gpus.queue("m", "old", quota(1));
      long beforeOld = old.generation();
      long beforeTarget = target.generation();
      long beforeMoved = moved.generation();

      gpus.queue("m", "new", quota(1));

      assertThat(old.generation()).isEqualTo(beforeOld + 1);
      assertThat(target.generation()).isEqualTo(beforeTarget + 1);
      assertThat(moved.generation()).isEqualTo(beforeMoved + 1);
    }

    @Test
    void advanceForACohortChangedOrNot() {
      gpus.cohort("c", quota(1));
      QueueQuota member = gpus.queue("m", "c", quota(1));
      long before = member.generation();

      gpus.cohort("c", quota(1));

      assertThat(member.generation()).isEqualTo(before + 1);
    }

    @Test
    void advanceInTheTreeThatACohortLeaves() {
      gpus.cohort("c", "old");
      QueueQuota member = gpus.queue("m", "c", quota(1));
      QueueQuota old = gpus.queue("o", "old", quota(1));
      long before = old.generation();
      long beforeMember = member.generation();

      gpus.cohort("c", "new");

      assertThat(old.generation()).isEqualTo(before + 1);
      assertThat(member.generation()).isEqualTo(beforeMember + 1);
    }

    @Test
    void stayForUsage() {
      gpus.use(a, 3);
      gpus.release(a, 3);

      assertThat(a.generation()).isEqualTo(1);
    }

    @Test
    void stayWhenColumnsAreAdded() {
      gpus.forest.ensureColumns(a, new FlavorResource[] {gpus.pair("other")});

      assertThat(a.generation()).isEqualTo(1);
    }

    @Test
    void stayForActivity() {
      gpus.forest.setActive(a, false);

      assertThat(a.generation()).isEqualTo(1);
    }

    @Test
    void advanceOnceForSeveralChangesInOneStep() {
      gpus.forest.put(queueSpec("a", "c", quota(6)));
      gpus.forest.put(Cohort.builder().name("c").parent("root").build());
      gpus.forest.rebuild();

      assertThat(a.generation()).isEqualTo(2);
    }

    @Test
    void stayForChangesOfOtherTreesLaterOn() {
      QueueQuota member = gpus.queue("m", "c", quota(1));
      gpus.cohort("c", quota(2));
      long before = member.generation();

      gpus.queue("unrelated", quota(1));

      assertThat(member.generation()).isEqualTo(before);
      assertThat(a.generation()).isEqualTo(1);
    }

    @Test
    void advanceForAFlavorMore() {
      gpus.put(ClusterQueue.builder()
          .name("a")
          .addResourceGroups(ResourceGroup.of(
              FlavorQuotas.of(GpuForest.FLAVOR, quota(5)), FlavorQuotas.of("spot", quota(2))))
          .build());

      assertThat(a.generation()).isEqualTo(2);
      assertThat(a.available(gpus.pair("spot"))).isEqualTo(2);
    }

    @Test
    void advanceForTheOrderOfFlavors() {
      QueueQuota two = gpus.put(withFlavors("one", "two"));
      long before = two.generation();

      gpus.put(withFlavors("two", "one"));

      assertThat(two.generation()).isEqualTo(before + 1);
    }

    private ClusterQueue withFlavors(String first, String second) {
      return ClusterQueue.builder()
          .name("flavors")
          .addResourceGroups(
              ResourceGroup.of(FlavorQuotas.of(first, quota(1)), FlavorQuotas.of(second, quota(1))))
          .build();
    }

    @Test
    void stayForTheOrderOfCoveredResources() {
      QueueQuota two = gpus.put(withResources(quota(1), ResourceQuota.ofAmount("cpu", 2)));

      gpus.put(withResources(ResourceQuota.ofAmount("cpu", 2), quota(1)));

      assertThat(two.generation()).isEqualTo(1);
      assertThat(two.available(gpus.pair)).isEqualTo(1);
    }

    @Test
    void advanceWhenAGroupIsSplit() {
      QueueQuota two = gpus.put(withResources(quota(1), ResourceQuota.ofAmount("cpu", 2)));

      gpus.put(ClusterQueue.builder()
          .name("resources")
          .addResourceGroups(
              GpuForest.group(quota(1)),
              ResourceGroup.of(FlavorQuotas.of("slow", ResourceQuota.ofAmount("cpu", 2))))
          .build());

      assertThat(two.generation()).isEqualTo(2);
    }

    private ClusterQueue withResources(ResourceQuota first, ResourceQuota second) {
      return ClusterQueue.builder()
          .name("resources")
          .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(GpuForest.FLAVOR, first, second)))
          .build();
    }
  }

  @Test
  void resourceThatIsNoLongerCoveredLeavesTheQuotaOfTheCohort() {
    QueueQuota a = gpus.queue("a", "c", quota(5));
    QueueQuota b = gpus.queue("b", "c", quota(1));
    gpus.use(a, 2);

    gpus.put(ClusterQueue.builder().name("a").cohort("c").build());

    assertThat(b.available(gpus.pair)).as("1 of b, 2 in use, over " + GPU).isZero();
    assertThat(a.usage(gpus.pair)).isEqualTo(2);
  }
}
