package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static io.kueue4j.core.internal.preemption.PreemptionFixture.withinQueue;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.state.PreemptionHistory;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionLimits.VictimCost;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Victims chosen by cost in one ClusterQueue, compared with all subsets of the candidates. */
class CheapestVictimsProperties {
  private static final int NOW = 100_000;

  /** The seconds that an earlier preemption counts. */
  private static final int REPEAT = 20_000;

  /** A running workload that holds GPUs since a second. */
  private record Running(String name, long gpus, int priority, int since, int preemptions) {
    long cost() {
      return (long) NOW - since + (long) preemptions * REPEAT;
    }
  }

  private static final class Case {
    final PreemptionFixture fixture = new PreemptionFixture();
    final List<Running> all = new ArrayList<>();
    final long capacity;
    final long wanted;

    Case(Random random, int most) {
      int count = 1 + random.nextInt(most);
      for (int i = 0; i < count; i++) {
        all.add(new Running(
            "w" + i,
            1L + random.nextInt(5),
            random.nextInt(3),
            random.nextInt(NOW),
            random.nextInt(4)));
      }
      capacity = used(all) + random.nextInt(3);
      wanted = 1L + random.nextInt((int) capacity);
      fixture.cohorts.with(withinQueue(queue("q", "c", capacity), LOWER_PRIORITY));
      for (Running each : all) {
        fixture.runningSince(
            each.since * 1000L, each.name, each.name, "q", each.priority, Map.of("gpu", each.gpus));
      }
    }

    static long used(List<Running> some) {
      return some.stream().mapToLong(Running::gpus).sum();
    }

    boolean suffices(List<Running> victims) {
      return used(all) - used(victims) + wanted <= capacity;
    }

    /**
     * {@return the candidates that are taken until the workload fits, with the next ones of the
     * same priority up to the number of which the best set is searched}
     */
    List<Running> taken() {
      List<Running> inOrder = all.stream()
          .sorted(Comparator.comparingInt(Running::priority)
              .thenComparing(Comparator.comparingInt(Running::since).reversed())
              .thenComparing(Running::name))
          .toList();
      List<Running> taken = new ArrayList<>();
      for (Running next : inOrder) {
        if (suffices(taken)
            && (taken.isEmpty()
                || taken.size() >= CheapestVictims.EXACT
                || taken.get(taken.size() - 1).priority != next.priority)) {
          break;
        }
        taken.add(next);
      }
      return taken;
    }

    long leastCost(List<Running> candidates) {
      long least = Long.MAX_VALUE;
      for (int subset = 0; subset < 1 << candidates.size(); subset++) {
        List<Running> victims = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
          if ((subset >> i & 1) != 0) {
            victims.add(candidates.get(i));
          }
        }
        if (suffices(victims)) {
          least = Math.min(least, cost(victims));
        }
      }
      return least;
    }

    static long cost(List<Running> victims) {
      return victims.stream().mapToLong(Running::cost).sum();
    }

    List<Running> chosen() {
      PreemptionLimits limits = PreemptionLimits.builder()
          .victimCost(
              new VictimCost(ImmutableSortedMap.of(), Duration.ZERO, Duration.ofSeconds(REPEAT)))
          .build();
      PreemptionHistory history = new PreemptionHistory(Optional.of(limits), new Journal());
      PreemptionBounds bounds = requireNonNull(PreemptionBounds.of(
          history, Instant.ofEpochSecond(NOW), id -> running(id.name()).preemptions));
      Preemptor preemptor = fixture.preemptor("q", 9).with(bounds.exemptions("q"));
      List<Victim> victims =
          new ClassicalSearch(preemptor, fixture.demand("q", wanted), unused -> 0).search();
      return victims.stream()
          .map(victim -> running(victim.holder().id().name()))
          .toList();
    }

    private Running running(String name) {
      return all.stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
    }
  }

  @Property(tries = 300)
  void fewCandidatesGiveTheCheapestSet(@ForAll long seed) {
    check(new Case(new Random(seed), CheapestVictims.EXACT), 1);
  }

  @Property(tries = 100)
  void manyCandidatesGiveACheapSet(@ForAll long seed) {
    Case given = new Case(new Random(seed), 16);
    int size = given.chosen().size();
    check(given, given.taken().size() <= CheapestVictims.EXACT ? 1 : size);
  }

  private static void check(Case given, int factor) {
    List<Running> taken = given.taken();
    List<Running> chosen = given.chosen();
    if (taken.isEmpty()) {
      return;
    }
    assertThat(taken).containsAll(chosen);
    assertThat(given.suffices(chosen)).isTrue();
    for (Running victim : chosen) {
      assertThat(given.suffices(
              chosen.stream().filter(other -> !other.equals(victim)).toList()))
          .as("%s is needed", victim)
          .isFalse();
    }
    assertThat(Case.cost(chosen)).isLessThanOrEqualTo(factor * given.leastCost(taken));
  }
}
