package io.kueue4j.examples.controller.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.kueue4j.examples.controller.lease.LeaseException;
import io.kueue4j.examples.controller.lease.LeaseTimes;
import io.kueue4j.examples.controller.lease.MemoryLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Replicas that join, die, are cut off, and know different states of the cluster. */
class WorkSharingTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final MemoryLeases leases = new MemoryLeases();
  private ImmutableMap<String, String> trees = trees(12);
  private long nanos = 3;
  private int number;

  private static ImmutableMap<String, String> trees(int count) {
    ImmutableMap.Builder<String, String> trees = ImmutableMap.builder();
    for (int i = 0; i < count; i++) {
      trees.put("q/" + i + "a", "tree" + i).put("q/" + i + "b", "tree" + i);
    }
    return trees.buildOrThrow();
  }

  /** A replica that sees the cluster late. */
  private final class Replica implements WorkSharing.Work {
    final AtomicBoolean isCut = new AtomicBoolean();
    final WorkSharing sharing;
    ImmutableMap<String, String> known = trees;
    ImmutableSet<String> decides = ImmutableSet.of();
    boolean isDead;

    Replica() {
      sharing = new WorkSharing(
          leases.through(isCut),
          "controller",
          "r" + number++,
          "replica",
          LeaseTimes.defaults(),
          () -> nanos,
          () -> START.plusNanos(nanos));
    }

    @Override
    public ImmutableMap<String, String> trees() {
      return known;
    }

    @Override
    public void keep(ImmutableSet<String> kept) {
      assertThat(decides).containsAll(kept);
      decides = kept;
    }

    @Override
    public ImmutableMap<String, String> refresh() {
      known = trees;
      return known;
    }

    @Override
    public void take(ImmutableSet<String> all) {
      assertThat(all).containsAll(decides);
      decides = all;
    }

    /** What it may decide on and write now. */
    Set<String> decides() {
      return !isDead && sharing.candidate().holds() ? decides : Set.of();
    }

    void renew() {
      sharing.candidate().attempt();
    }

    void round() {
      try {
        sharing.round(this);
      } catch (LeaseException e) {
        assertThat(isCut).isTrue();
      }
    }
  }

  private static void assertNoneIsDecidedTwice(List<Replica> replicas, String when) {
    Set<String> all = new TreeSet<>();
    for (Replica replica : replicas) {
      for (String node : replica.decides()) {
        assertThat(all.add(node)).as("%s: only one decides on %s", when, node).isTrue();
      }
    }
  }

  private void pass(int seconds, List<Replica> replicas) {
    for (int i = 0; i < seconds; i++) {
      nanos += Duration.ofSeconds(1).toNanos();
      for (Replica replica : replicas) {
        if (!replica.isDead) {
          replica.known = trees;
          replica.renew();
          replica.round();
          assertNoneIsDecidedTwice(replicas, "second " + i);
        }
      }
    }
  }

  private void assertAllIsDecided(List<Replica> replicas) {
    Set<String> all = new TreeSet<>();
    replicas.forEach(replica -> all.addAll(replica.decides()));
    assertThat(all).isEqualTo(new TreeSet<>(trees.keySet()));
  }

  @Test
  void treesThatAreOwnedAreCountedOnce() {
    trees = ImmutableMap.<String, String>builder()
        .putAll(trees(12))
        .put("c/root", "tree0")
        .buildOrThrow();
    List<Replica> replicas = new ArrayList<>(List.of(new Replica(), new Replica()));
    pass(30, replicas);
    List<WorkSharing.Share> shares =
        replicas.stream().map(replica -> replica.sharing.share()).toList();
    assertThat(shares).allMatch(share -> share.trees() == 12 && share.replicas() == 2);
    assertThat(shares.stream().mapToInt(WorkSharing.Share::ownedTrees).sum()).isEqualTo(12);
    assertThat(shares.stream().mapToInt(WorkSharing.Share::ownedQueues).sum()).isEqualTo(24);
    assertThat(shares).allMatch(share -> share.ownedTrees() > 0);

    // All trees become one, which no replica owns as a whole.
    trees = ImmutableMap.copyOf(Maps.transformValues(trees, unused -> "all"));
    replicas.get(0).known = trees;
    replicas.get(0).round();
    assertThat(replicas.get(0).sharing.share().trees()).isEqualTo(1);
    assertThat(replicas.get(0).sharing.share().ownedTrees()).isZero();

    // Without its lease it owns none.
    nanos += Duration.ofSeconds(20).toNanos();
    assertThat(replicas).allMatch(replica -> replica.sharing.share().ownedTrees() == 0);
  }

  @Test
  void replicasShareTreesAndOneThatLeavesHandsOverAtOnce() {
    List<Replica> replicas = new ArrayList<>(List.of(new Replica()));
    pass(2, replicas);
    assertThat(replicas.get(0).decides()).isEqualTo(trees.keySet());
    replicas.add(new Replica());
    replicas.add(new Replica());

    pass(4, replicas);

    assertAllIsDecided(replicas);
    assertThat(replicas)
        .allSatisfy(replica -> assertThat(replica.decides()).isNotEmpty())
        .allSatisfy(replica -> assertThat(replica.sharing.replicas()).isEqualTo(3));

    Replica left = replicas.remove(0);
    left.sharing.leave(left);
    assertThat(left.decides).isEmpty();
    pass(3, replicas);
    assertAllIsDecided(replicas);
  }

  @Test
  void theTreesOfADeadReplicaAreTakenWhenItsLeaseHasExpired() {
    List<Replica> replicas = List.of(new Replica(), new Replica());
    pass(5, replicas);
    replicas.get(0).isDead = true;

    pass(14, replicas);
    assertThat(replicas.get(1).decides()).isNotEqualTo(trees.keySet());
    pass(3, replicas);
    assertThat(replicas.get(1).decides()).isEqualTo(trees.keySet());
  }

  @Test
  void aReplicaThatWasCutOffAndDeclaredDeadDecidesNothing() {
    List<Replica> replicas = List.of(new Replica(), new Replica());
    pass(5, replicas);
    Replica cut = replicas.get(0);
    cut.isCut.set(true);
    pass(9, replicas);
    assertThat(cut.decides()).isNotEmpty();
    pass(10, replicas);
    assertThat(cut.decides()).isEmpty();
    assertThat(replicas.get(1).decides()).isEqualTo(trees.keySet());

    cut.isCut.set(false);
    pass(5, replicas);

    assertThat(cut.sharing.candidate().isLost()).isTrue();
    assertThat(cut.decides()).isEmpty();
  }

  @Test
  void aTreeIsTakenAsAWholeOnly() {
    Replica one = new Replica();
    Replica two = new Replica();
    pass(5, List.of(one, two));
    String tree = Objects.requireNonNull(trees.get(two.decides().iterator().next()));
    String moving = one.decides().iterator().next();
    ImmutableMap.Builder<String, String> edited = ImmutableMap.builder();
    trees.forEach((node, root) -> edited.put(node, node.equals(moving) ? tree : root));
    trees = edited.buildOrThrow();
    // Two sees that the node joins its tree; one does not, yet.
    two.known = trees;
    one.renew();
    one.round();
    two.round();
    assertThat(two.decides()).doesNotContain(moving);
    assertThat(two.sharing.awaited()).containsExactly(moving);
    assertThat(one.decides()).contains(moving);

    pass(3, List.of(one, two));

    assertThat(two.decides()).contains(moving);
    assertThat(one.decides()).doesNotContain(moving);
  }

  @Test
  void aLeaseThatAnAdministratorDeletesIsRespectedUntilItsReplicaHasNoticed() {
    Replica one = new Replica();
    Replica two = new Replica();
    pass(5, List.of(one, two));
    leases.remove("controller-replica-r0");
    for (int i = 0; i < 5; i++) {
      nanos += Duration.ofSeconds(1).toNanos();
      two.renew();
      two.round();
      assertNoneIsDecidedTwice(List.of(one, two), "second " + i);
    }
    pass(15, List.of(one, two));
    assertThat(one.sharing.candidate().isLost()).isTrue();
    assertThat(two.decides()).isEqualTo(trees.keySet());
  }

  @Test
  void nothingIsEverDecidedByTwo() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Replica> replicas = new ArrayList<>(List.of(new Replica(), new Replica()));
      List<Replica> all = new ArrayList<>(replicas);
      for (int step = 0; step < 600; step++) {
        nanos += Duration.ofMillis(random.nextInt(500)).toNanos();
        Replica replica = replicas.get(random.nextInt(replicas.size()));
        int choice = random.nextInt(100);
        if (choice < 2) {
          replica.isCut.set(!replica.isCut.get());
        } else if (choice < 3 || replica.sharing.candidate().isLost()) {
          replica.isDead = true;
          replicas.remove(replica);
          replicas.add(new Replica());
          all.add(replicas.get(replicas.size() - 1));
        } else if (choice < 4 && replicas.size() < 4) {
          replicas.add(new Replica());
          all.add(replicas.get(replicas.size() - 1));
        } else if (choice < 5 && replicas.size() > 1) {
          replica.sharing.leave(replica);
          replica.isDead = true;
          replicas.remove(replica);
        } else if (choice < 10) {
          moveSomeNode(random);
        } else if (choice < 25) {
          replica.known = trees;
        } else if (choice < 60) {
          replica.renew();
        } else {
          replica.round();
        }
        assertNoneIsDecidedTwice(all, "seed " + seed + ", step " + step);
      }
      replicas.forEach(replica -> replica.isCut.set(false));
      replicas.removeIf(replica -> {
        replica.renew();
        return replica.sharing.candidate().isLost();
      });
      replicas.add(new Replica());
      pass(25, replicas);
      pass(
          5,
          replicas.stream()
              .filter(replica -> !replica.sharing.candidate().isLost())
              .toList());
      assertAllIsDecided(replicas);
      for (int i = 0; i < number; i++) {
        leases.remove("controller-replica-r" + i);
      }
    }
  }

  private void moveSomeNode(Random random) {
    Map<String, String> moved = new HashMap<>(trees);
    List<String> nodes = List.copyOf(trees.keySet());
    moved.put(nodes.get(random.nextInt(nodes.size())), "tree" + random.nextInt(12));
    trees = ImmutableMap.copyOf(moved);
  }
}
