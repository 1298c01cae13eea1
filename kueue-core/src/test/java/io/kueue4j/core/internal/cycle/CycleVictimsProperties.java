package io.kueue4j.core.internal.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.Forest;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Whatever is taken, added and asked for in between, usage is what taking all victims out of the
 * full usage each time anew would leave; also where the order of that makes a difference.
 */
class CycleVictimsProperties {
  private static final long NEARLY_ALL = Long.MAX_VALUE - 3;

  /** Queues of a tree of three cohorts with what runs in them; made twice, they are alike. */
  private static final class Cluster {
    private final Catalog catalog = new Catalog();
    private final Forest forest = new Forest(catalog);
    private final List<QueueQuota> queues = new ArrayList<>();
    private final List<QuotaHolder> holders = new ArrayList<>();

    Cluster(long seed, boolean nearTheBounds) {
      Random random = new Random(seed);
      forest.put(Cohort.builder().name("left").parent("r").build());
      for (int i = 0; i < 4; i++) {
        ResourceQuota quota = new ResourceQuota(
            "gpu",
            random.nextInt(6),
            OptionalLong.empty(),
            random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(0));
        forest.put(ClusterQueue.builder()
            .name("q" + i)
            .cohort(i < 2 ? "left" : "r")
            .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("f", quota)))
            .build());
      }
      forest.rebuild();
      for (int i = 0; i < 4; i++) {
        queues.add(forest.queue("q" + i).orElseThrow());
      }
      for (int i = 0; i < 12; i++) {
        boolean huge = nearTheBounds && random.nextInt(6) == 0;
        hold("w" + i, queues.get(random.nextInt(4)), huge ? NEARLY_ALL : random.nextInt(5));
      }
    }

    private void hold(String name, QueueQuota queue, long gpus) {
      Workload workload = Workload.builder()
          .namespace("ns")
          .name(name)
          .queueName("q")
          .addPodSets(PodSet.builder().build())
          .build();
      QuotaHolder holder = new QuotaHolder(
          new WorkloadCompiler(catalog, true, false, true).compile(workload, 0),
          queue,
          new int[] {pair()},
          new long[] {gpus},
          0,
          0,
          Footprint.NONE);
      queue.add(holder);
      holders.add(holder);
    }

    int pair() {
      return catalog.pair(catalog.flavor("f"), catalog.resource("gpu"));
    }

    QuotaTree tree() {
      return queues.get(0).tree();
    }

    List<Long> usage() {
      return usage(tree());
    }

    static List<Long> usage(QuotaTree tree) {
      List<Long> usage = new ArrayList<>();
      for (int node = 0; node < tree.nodeCount(); node++) {
        usage.add(tree.usage(node, 0));
      }
      return usage;
    }
  }

  private static void compare(long seed, boolean lessThanNothing, boolean nearTheBounds) {
    Cluster cluster = new Cluster(seed, nearTheBounds);
    Cluster plain = new Cluster(seed, nearTheBounds);
    List<Long> before = cluster.usage();
    Random random = new Random(seed);
    CycleVictims taken = new CycleVictims();
    Set<Integer> numbers = new HashSet<>();
    List<Integer> inOrder = new ArrayList<>();
    int checkpoint = cluster.tree().checkpoint();
    plain.tree().checkpoint();

    for (int i = 0; i < 30; i++) {
      int queue = random.nextInt(4);
      switch (random.nextInt(5)) {
        case 0 -> {
          int number = random.nextInt(12);
          taken.take(List.of(cluster.holders.get(number)));
          if (numbers.add(number)) {
            inOrder.add(number);
          }
        }
        case 1, 2 -> {
          boolean huge = nearTheBounds && random.nextInt(4) == 0;
          long amount =
              huge ? NEARLY_ALL : random.nextInt(6) - (lessThanNothing ? random.nextInt(4) : 0);
          taken.add(cluster.queues.get(queue), 0, amount);
          plain.tree().add(plain.queues.get(queue).node(), 0, amount);
        }
        case 3 -> taken.exclude(cluster.tree(), false);
        default -> taken.include(cluster.tree(), false);
      }
      if (random.nextInt(3) == 0) {
        QueueQuota plainQueue = plain.queues.get(queue);
        assertThat(taken.usage(cluster.queues.get(queue), 0))
            .isEqualTo(plain.tree().usage(plainQueue.node(), 0));
      }
      if (random.nextBoolean()) {
        taken.exclude(cluster.tree(), false);
        assertThat(cluster.usage()).isEqualTo(without(plain, inOrder));
        cluster.holders.forEach(
            holder -> assertThat(holder.isSetAside()).isEqualTo(taken.contains(holder)));
      }
      if (random.nextInt(4) == 0) {
        assertThat(Cluster.usage(taken.withVictims(cluster.tree()))).isEqualTo(plain.usage());
      }
      if (random.nextInt(4) == 0) {
        taken.include(cluster.tree(), false);
        assertThat(cluster.usage()).isEqualTo(plain.usage());
        assertThat(cluster.holders).noneMatch(QuotaHolder::isSetAside);
      }
    }

    taken.restore();
    cluster.tree().rollback(checkpoint);
    assertThat(cluster.usage()).isEqualTo(before);
    assertThat(cluster.holders).noneMatch(QuotaHolder::isSetAside);
  }

  private static List<Long> without(Cluster plain, List<Integer> taken) {
    int checkpoint = plain.tree().checkpoint();
    taken.forEach(number -> plain.holders.get(number).unchargeQuota());
    List<Long> usage = plain.usage();
    plain.tree().rollback(checkpoint);
    return usage;
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void usageIsThatWithoutThem(@ForAll long seed) {
    compare(seed, false, false);
  }

  /** Rule Q-21. */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void alsoWhereLessThanNothingIsAdded(@ForAll long seed) {
    compare(seed, true, false);
  }

  /** Rule N-4. */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void alsoWhereSumsLeaveTheRange(@ForAll long seed) {
    compare(seed, true, true);
    compare(seed, false, true);
  }

  @Property(tries = 50, shrinking = ShrinkingMode.OFF)
  void nothingIsTakenTwice(@ForAll long seed) {
    Cluster cluster = new Cluster(seed, false);
    List<QuotaHolder> victims = cluster.holders;
    CycleVictims taken = new CycleVictims();
    cluster.tree().checkpoint();

    taken.take(victims);
    taken.take(victims);
    taken.exclude(cluster.tree(), false);
    taken.exclude(cluster.tree(), false);

    assertThat(cluster.usage()).containsOnly(0L);
    assertThat(taken.containsAny(victims)).isTrue();
  }
}
