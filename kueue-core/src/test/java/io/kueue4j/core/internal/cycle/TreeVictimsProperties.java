package io.kueue4j.core.internal.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.Forest;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.support.CompiledQueues;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Whatever is taken, added and asked for in between, usage is what taking all victims out of the
 * full usage each time anew would leave; also where the order of that makes a difference.
 */
class TreeVictimsProperties {
  private static final long NEARLY_ALL = Long.MAX_VALUE - 3;

  /**
   * What queues have and what runs in them.
   *
   * @param quotas the nominal quota of each of the four queues
   * @param lends whether the queue lends its quota
   * @param homes the queue of each of twelve workloads
   * @param amounts what the workloads hold
   */
  private record Shape(
      List<Integer> quotas, List<Boolean> lends, List<Integer> homes, List<Long> amounts) {
    static Shape draw(Choices choices, boolean nearTheBounds) {
      Shape shape = new Shape(
          choices.list(4, 4, each -> each.nextInt(6)),
          choices.list(4, 4, Choices::nextBoolean),
          choices.list(12, 12, each -> each.nextInt(4)),
          choices.list(12, 12, each -> {
            boolean huge = nearTheBounds && each.oneIn(6);
            return huge ? NEARLY_ALL : each.nextInt(5);
          }));
      choices.note("%s", shape);
      return shape;
    }
  }

  /** Queues of a tree of three cohorts with what runs in them; made twice, they are alike. */
  private static final class Cluster {
    private final Catalog catalog = new Catalog();
    private final Forest forest = CompiledQueues.emptyForest(catalog);
    private final List<QueueQuota> queues = new ArrayList<>();
    private final List<QuotaHolder> holders = new ArrayList<>();

    Cluster(Shape shape) {
      forest.put(Cohort.builder().name("left").parent("r").build());
      for (int i = 0; i < 4; i++) {
        ResourceQuota quota = new ResourceQuota(
            "gpu",
            shape.quotas().get(i),
            OptionalLong.empty(),
            shape.lends().get(i) ? OptionalLong.empty() : OptionalLong.of(0));
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
      for (int i = 0; i < shape.amounts().size(); i++) {
        hold("w" + i, queues.get(shape.homes().get(i)), shape.amounts().get(i));
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
          new WorkloadCompiler(catalog, Settings.defaults())
              .compile(workload, ImmutableSortedMap.of(), 0),
          queue.name(),
          new FlavorResource[] {pair()},
          new long[] {gpus},
          0,
          0,
          false,
          Footprint.NONE);
      queue.add(holder);
      holders.add(holder);
    }

    FlavorResource pair() {
      return catalog.pair("f", "gpu");
    }

    QuotaTree tree() {
      return queues.get(0).tree();
    }

    QueueQuota queueOf(QuotaHolder holder) {
      return queues.get(0).tree().layout().queueOf(holder);
    }

    void uncharge(int number) {
      queueOf(holders.get(number)).unchargeQuota(holders.get(number));
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

  private static void compare(Choices choices, boolean lessThanNothing, boolean nearTheBounds) {
    Shape shape = Shape.draw(choices, nearTheBounds);
    Cluster cluster = new Cluster(shape);
    Cluster plain = new Cluster(shape);
    List<Long> before = cluster.usage();
    TreeVictims taken = new TreeVictims(cluster.tree());
    Set<Integer> numbers = new HashSet<>();
    List<Integer> inOrder = new ArrayList<>();
    plain.tree().checkpoint();

    choices.repeat(30, count -> {
      int queue = choices.nextInt(4);
      switch (choices.nextInt(5)) {
        case 0 -> {
          int number = choices.nextInt(12);
          choices.note("take w%s", number);
          taken.take(List.of(cluster.holders.get(number)));
          if (numbers.add(number)) {
            inOrder.add(number);
          }
        }
        case 1, 2 -> {
          boolean huge = nearTheBounds && choices.oneIn(4);
          long amount =
              huge ? NEARLY_ALL : choices.nextInt(6) - (lessThanNothing ? choices.nextInt(4) : 0);
          choices.note("add %s to q%s", amount, queue);
          taken.add(cluster.queues.get(queue), 0, amount);
          plain.tree().add(plain.queues.get(queue).node(), 0, amount);
        }
        case 3 -> {
          choices.note("exclude");
          taken.exclude();
        }
        default -> {
          choices.note("include");
          taken.include();
        }
      }
      if (choices.oneIn(3)) {
        int node = cluster.queues.get(queue).node();
        assertThat(taken.withVictims().usage(node, 0)).isEqualTo(plain.tree().usage(node, 0));
      }
      if (choices.nextBoolean()) {
        taken.exclude();
        assertThat(cluster.usage()).isEqualTo(without(plain, inOrder));
        cluster.holders.forEach(holder -> assertThat(cluster.queueOf(holder).isSetAside(holder))
            .isEqualTo(taken.contains(holder)));
      }
      if (choices.oneIn(4)) {
        assertThat(Cluster.usage(taken.withVictims())).isEqualTo(plain.usage());
      }
      if (choices.oneIn(4)) {
        taken.include();
        assertThat(cluster.usage()).isEqualTo(plain.usage());
        assertThat(cluster.holders).noneMatch(holder -> cluster.queueOf(holder).isSetAside(holder));
      }
    });

    taken.rollback();
    assertThat(cluster.usage()).isEqualTo(before);
    assertThat(cluster.holders).noneMatch(holder -> cluster.queueOf(holder).isSetAside(holder));
  }

  private static List<Long> without(Cluster plain, List<Integer> taken) {
    int checkpoint = plain.tree().checkpoint();
    taken.forEach(number -> plain.uncharge(number));
    List<Long> usage = plain.usage();
    plain.tree().rollback(checkpoint);
    return usage;
  }

  @Provide
  Arbitrary<Run> usageIsThatWithoutThemRuns() {
    return Run.of(choices -> {
      compare(choices, false, false);
    });
  }

  @Property(tries = 300)
  void usageIsThatWithoutThem(@ForAll("usageIsThatWithoutThemRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> alsoWhereLessThanNothingIsAddedRuns() {
    return Run.of(choices -> {
      compare(choices, true, false);
    });
  }

  /** Rule Q-21. */
  @Property(tries = 300)
  void alsoWhereLessThanNothingIsAdded(@ForAll("alsoWhereLessThanNothingIsAddedRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> alsoWhereSumsLeaveTheRangeRuns() {
    return Run.of(choices -> {
      compare(choices, true, true);
      compare(choices, false, true);
    });
  }

  /** Rule N-4. */
  @Property(tries = 300)
  void alsoWhereSumsLeaveTheRange(@ForAll("alsoWhereSumsLeaveTheRangeRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> nothingIsTakenTwiceRuns() {
    return Run.of(choices -> {
      Cluster cluster = new Cluster(Shape.draw(choices, false));
      List<QuotaHolder> victims = cluster.holders;
      TreeVictims taken = new TreeVictims(cluster.tree());

      taken.take(victims);
      taken.take(victims);
      taken.exclude();
      taken.exclude();

      assertThat(cluster.usage()).containsOnly(0L);
      assertThat(taken.containsAny(victims)).isTrue();
    });
  }

  @Property(tries = 50)
  void nothingIsTakenTwice(@ForAll("nothingIsTakenTwiceRuns") Run run) {
    run.check();
  }
}
