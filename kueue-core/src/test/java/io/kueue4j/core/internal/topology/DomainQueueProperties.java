package io.kueue4j.core.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import com.google.common.primitives.Ints;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** The queue of domains against a sorted list. */
class DomainQueueProperties {
  private static final int NEITHER = -1;

  /** A list in order; who was put to the front is at the front. */
  private static final class Model {
    private final List<Integer> domains;
    private final LevelCapacity capacity;
    private final long[] scores;
    private final boolean bestFit;
    private int front = NEITHER;

    Model(List<Integer> domains, LevelCapacity capacity, long[] scores, boolean bestFit) {
      this.domains = new ArrayList<>(domains);
      this.capacity = capacity;
      this.scores = scores;
      this.bestFit = bestFit;
    }

    private List<Integer> inOrder() {
      List<Integer> order = new ArrayList<>(domains);
      if (front != NEITHER) {
        order.removeIf(each -> each == front);
        order.add(0, front);
      }
      return order;
    }

    int first() {
      return inOrder().get(0);
    }

    int take(int domain) {
      domains.removeIf(each -> each == domain);
      front = front == domain ? NEITHER : front;
      return domain;
    }

    int take(int need, boolean besideLeader) {
      boolean suffices =
          (!besideLeader || capacity.hostsLeader(first())) && units(first(), besideLeader) >= need;
      return suffices && bestFit ? takeBestFit(need, besideLeader) : take(first());
    }

    private int takeBestFit(int need, boolean besideLeader) {
      List<Integer> fitting = inOrder().stream()
          .takeWhile(domain -> scores[domain] == scores[first()])
          .filter(domain -> !besideLeader || capacity.hostsLeader(domain))
          .filter(domain -> units(domain, besideLeader) >= need)
          .toList();
      // min() returns the first of several.
      return take(fitting.stream()
          .min(Comparator.comparingInt(domain -> units(domain, besideLeader)))
          .orElseThrow());
    }

    private int units(int domain, boolean besideLeader) {
      return besideLeader ? capacity.unitsBesideLeader(domain) : capacity.units(domain);
    }

    void putLeaderFirst(int need) {
      if (domains.size() < 2) {
        return;
      }
      int total = domains.stream().mapToInt(capacity::units).sum();
      front = inOrder().stream()
          .filter(capacity::hostsLeader)
          .filter(
              domain -> total - capacity.units(domain) + capacity.unitsBesideLeader(domain) >= need)
          .findFirst()
          .orElse(NEITHER);
    }
  }

  private static FitCounts counts(NodeTree cluster, @Nullable PodRequest leader, long[] scoreOf) {
    PodRequest pod = cluster.pods(1, TopologyRequest.required(NodeTree.HOST)).request();
    LeafMatches all = new LeafMatches.Builder().build();
    NodeScores scores = NodeScores.of(cluster.inventory.tree(), scoreOf.clone());
    return cluster.inventory.counts(
        new FitKey(pod, leader, all, all, true, SliceLayers.none(1), scores));
  }

  private static String hosts(Choices choices, int count) {
    StringBuilder hosts = new StringBuilder();
    for (int i = 0; i < count; i++) {
      hosts.append(" h").append(10 + i).append(':').append(choices.nextInt(6));
    }
    choices.note("hosts with cpus%s", hosts);
    return hosts.toString();
  }

  @Provide
  Arbitrary<Run> domainsComeInTheOrderOfASortedListRuns() {
    return Run.of(choices -> {
      int count = 1 + choices.nextInt(9);
      NodeTree cluster = NodeTree.of(List.of(NodeTree.HOST), hosts(choices, count));
      boolean withLeader = choices.nextBoolean();
      PodRequest leader =
          PodRequest.of(Map.of("cpu", 1000L * (1 + choices.nextInt(3))), cluster.catalog);
      long[] scoreOf = choices.longs(count, 0, 1 + choices.nextInt(2)).toArray();
      FitCounts counts = counts(cluster, withLeader ? leader : null, scoreOf);
      LevelCapacity capacity = LevelCapacity.inSlices(counts, 0, null);

      List<Integer> domains = new ArrayList<>();
      for (int domain = 0; domain < count; domain++) {
        domains.add(domain);
      }
      Collections.shuffle(domains, choices);
      boolean bestFit = choices.nextBoolean();
      DomainOrder order = new DomainOrder(counts, 0, bestFit, withLeader);
      boolean isOrdered = choices.nextBoolean();
      DomainQueue queue = isOrdered
          ? DomainQueue.ordered(Ints.toArray(domains), capacity, bestFit, withLeader)
          : DomainQueue.asGiven(Ints.toArray(domains), capacity, bestFit);
      List<Integer> inOrder = new ArrayList<>(domains);
      if (isOrdered) {
        inOrder.sort((a, b) -> a.equals(b) ? 0 : order.isBefore(a, b) ? -1 : 1);
      }
      Model model = new Model(inOrder, capacity, scoreOf, bestFit);

      choices.note(
          "leader %s, best fit %s, ordered %s, order %s, scores %s",
          withLeader, bestFit, isOrdered, inOrder, Arrays.toString(scoreOf));
      while (!model.domains.isEmpty()) {
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.first()).isEqualTo(model.first());
        assertThat(Ints.asList(queue.rest())).containsExactlyInAnyOrderElementsOf(model.domains);
        int need = choices.nextInt(8);
        boolean besideLeader = withLeader && choices.nextBoolean();
        int call = choices.nextInt(3);
        choices.note(
            "%s for %s%s",
            List.of("takeFirst", "take", "putLeaderFirst").get(call),
            need,
            besideLeader ? " beside the leader" : "");
        switch (call) {
          case 0 -> assertThat(queue.takeFirst()).isEqualTo(model.take(model.first()));
          case 1 ->
            assertThat(queue.take(need, besideLeader, false))
                .isEqualTo(model.take(need, besideLeader));
          default -> {
            if (withLeader) {
              need = choices.nextInt(25);
              queue.putLeaderFirst(need);
              model.putLeaderFirst(need);
              assertThat(queue.first()).isEqualTo(Iterables.get(model.inOrder(), 0));
            }
          }
        }
      }
      assertThat(queue.isEmpty()).isTrue();
      assertThat(queue.rest()).isEmpty();
    });
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void domainsComeInTheOrderOfASortedList(
      @ForAll("domainsComeInTheOrderOfASortedListRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> orderIsByLeaderThenLikingThenRoomThenNumberRuns() {
    return Run.of(choices -> {
      int count = 2 + choices.nextInt(6);
      NodeTree cluster = NodeTree.of(List.of(NodeTree.HOST), hosts(choices, count));
      boolean withLeader = choices.nextBoolean();
      PodRequest leader = PodRequest.of(Map.of("cpu", 2000L), cluster.catalog);
      long[] scoreOf = choices.longs(count, 0, 2).toArray();
      FitCounts counts = counts(cluster, leader, scoreOf);
      boolean bestFit = choices.nextBoolean();
      DomainOrder order = new DomainOrder(counts, 0, bestFit, withLeader);
      choices.note(
          "leader %s, best fit %s, scores %s", withLeader, bestFit, Arrays.toString(scoreOf));
      Comparator<Integer> byRoom = Comparator.comparingInt(
          domain -> withLeader ? counts.podsBesideLeader(0, domain) : counts.pods(0, domain));
      Comparator<Integer> expected = Comparator.<Integer, Boolean>comparing(
              domain -> withLeader && !counts.hostsLeader(0, domain))
          .thenComparingLong(domain -> -scoreOf[domain])
          .thenComparing(bestFit ? byRoom.reversed() : byRoom)
          .thenComparing(Comparator.naturalOrder());
      for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
          assertThat(order.isBefore(a, b)).as("%s %s", a, b).isEqualTo(expected.compare(a, b) < 0);
        }
      }
    });
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void orderIsByLeaderThenLikingThenRoomThenNumber(
      @ForAll("orderIsByLeaderThenLikingThenRoomThenNumberRuns") Run run) {
    run.check();
  }
}
