package io.kueue4j.core.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** What fits where, kept up to date and counted anew, against the rules written down (T-24 …). */
class FitCountsProperties {
  private static final List<String> LEVELS = List.of(NodeTree.BLOCK, NodeTree.RACK, NodeTree.HOST);

  /** What fits a domain. */
  private record Fit(int pods, int slices, boolean hosts, int podsBeside, int slicesBeside) {}

  /** A choices cluster, with counts of something on it. */
  private static final class Trial {
    final Choices choices;
    final NodeTree cluster;
    final FitKey key;

    Trial(Choices choices) {
      this.choices = choices;
      this.cluster = NodeTree.of(LEVELS, nodes());
      int cpus = 1 + choices.nextInt(2);
      int cpusOfLeader = choices.nextBoolean() ? 1 + choices.nextInt(3) : 0;
      LeafMatches matches = matches();
      LeafMatches leaderMatches = matches();
      boolean countsUsage = !choices.oneIn(4);
      this.key = new FitKey(
          pod(cpus),
          cpusOfLeader == 0 ? null : pod(cpusOfLeader),
          matches,
          leaderMatches,
          countsUsage,
          slices(),
          NodeScores.NONE);
      choices.note("cpus %d, of leader %d, counts usage %s", cpus, cpusOfLeader, countsUsage);
    }

    private String nodes() {
      StringBuilder nodes = new StringBuilder();
      for (int block = 0; block <= choices.nextInt(3); block++) {
        for (int rack = 0; rack <= choices.nextInt(3); rack++) {
          for (int host = 0; host <= choices.nextInt(3); host++) {
            nodes.append(" b%d/r%d%d/h%d%d%d:%d:%d"
                .formatted(
                    block, block, rack, block, rack, host, choices.nextInt(9), choices.nextInt(9)));
          }
        }
      }
      choices.note("nodes%s", nodes);
      return nodes.toString();
    }

    PodRequest pod(int cpus) {
      return PodRequest.of(Map.of("cpu", cpus * 1000L), cluster.catalog);
    }

    private LeafMatches matches() {
      LeafMatches.Builder matches = new LeafMatches.Builder();
      for (int leaf = 0; leaf < cluster.inventory.leafCount(); leaf++) {
        if (choices.oneIn(5)) {
          matches.exclude(leaf, "taint");
        }
      }
      return matches.build();
    }

    private SliceLayers slices() {
      int size = 1 + choices.nextInt(3);
      int level = choices.nextInt(3);
      return switch (choices.nextInt(3)) {
        case 0 -> SliceLayers.none(3);
        case 1 -> SliceLayers.of(ImmutableList.of(new SliceLayers.Layer(level, size)));
        default ->
          SliceLayers.of(ImmutableList.of(
              new SliceLayers.Layer(0, 2 * size),
              new SliceLayers.Layer(1 + choices.nextInt(2), size)));
      };
    }

    LeafUsage usage() {
      return cluster.inventory.usage();
    }

    int leafCount() {
      return cluster.inventory.leafCount();
    }
  }

  // ----- the rules

  private static int fitting(Trial trial, int leaf, PodRequest pod, @Nullable PodRequest beside) {
    return IntStream.range(0, pod.size())
        .map(i -> {
          ResourceName resource = pod.resource(i);
          long free = trial.usage().free(leaf, resource, trial.key.countsUsage());
          long left = free - (beside == null ? 0 : beside.amountOf(resource));
          return (int) (left / pod.amount(i));
        })
        .min()
        .orElseThrow();
  }

  private static Fit expected(Trial trial, DomainTree tree, int level, int domain) {
    FitKey key = trial.key;
    PodRequest leader = key.leader();
    int size = key.slices().size();
    if (level == tree.lowestLevel()) {
      boolean forPods = key.matches().passes(domain);
      boolean hosts = leader != null
          && key.leaderMatches().passes(domain)
          && fitting(trial, domain, leader, null) > 0;
      int pods = forPods ? fitting(trial, domain, key.pod(), null) : 0;
      int beside = forPods && hosts ? fitting(trial, domain, key.pod(), leader) : pods;
      boolean atSlices = key.slices().level() == level;
      return new Fit(pods, atSlices ? pods / size : 0, hosts, beside, atSlices ? beside / size : 0);
    }
    int unit = key.slices().level() <= level ? key.slices().unit(level + 1) : 1;
    int pods = 0;
    int slices = 0;
    boolean hosts = false;
    int podPenalty = Integer.MAX_VALUE;
    int slicePenalty = Integer.MAX_VALUE;
    for (int child = tree.firstChild(level, domain);
        child < tree.endOfChildren(level, domain);
        child++) {
      Fit fit = expected(trial, tree, level + 1, child);
      int whole = fit.pods / unit * unit;
      pods += whole;
      slices += fit.slices;
      if (fit.hosts) {
        hosts = true;
        podPenalty = Math.min(podPenalty, whole - fit.podsBeside / unit * unit);
        slicePenalty = Math.min(slicePenalty, fit.slices - fit.slicesBeside);
      }
    }
    int podsBeside = leader == null ? pods : hosts ? pods - podPenalty : 0;
    int slicesBeside = leader == null ? slices : hosts ? slices - slicePenalty : 0;
    boolean atSlices = key.slices().level() == level;
    return new Fit(
        pods,
        atSlices ? pods / size : slices,
        hosts,
        podsBeside,
        atSlices ? podsBeside / size : slicesBeside);
  }

  private static Fit actual(FitCounts counts, int level, int domain) {
    return new Fit(
        counts.pods(level, domain),
        counts.slices(level, domain),
        counts.hostsLeader(level, domain),
        counts.podsBesideLeader(level, domain),
        counts.slicesBesideLeader(level, domain));
  }

  private static List<Fit> all(FitCounts counts) {
    List<Fit> all = new ArrayList<>();
    for (int level = 0; level < counts.tree().levelCount(); level++) {
      for (int domain = 0; domain < counts.tree().size(level); domain++) {
        all.add(actual(counts, level, domain));
      }
    }
    return all;
  }

  private static List<Fit> expected(Trial trial, DomainTree tree) {
    List<Fit> all = new ArrayList<>();
    for (int level = 0; level < tree.levelCount(); level++) {
      for (int domain = 0; domain < tree.size(level); domain++) {
        all.add(expected(trial, tree, level, domain));
      }
    }
    return all;
  }

  /** How many leaves have no room for a pod by reason, the scarcest resource first of all. */
  private static Map<String, Integer> exclusions(Trial trial) {
    PodRequest pod = trial.key.pod();
    Map<String, Integer> full = new TreeMap<>(trial.key.matches().exclusions());
    for (int leaf = 0; leaf < trial.leafCount(); leaf++) {
      for (int i = 0; trial.key.matches().passes(leaf) && i < pod.size(); i++) {
        long free = trial.usage().free(leaf, pod.resource(i), trial.key.countsUsage());
        if (free < pod.amount(i)) {
          full.merge("resource \"" + pod.resource(i).name() + "\"", 1, Integer::sum);
          break;
        }
      }
    }
    return full;
  }

  @Provide
  Arbitrary<Run> countsAreWhatTheRulesSayWhateverHappensRuns() {
    return Run.of(choices -> {
      Trial trial = new Trial(choices);
      int trials = 0;
      for (int step = 0; step < 25; step++) {
        for (int change = choices.nextInt(step == 20 ? 60 : 3); change > 0; change--) {
          trials = change(trial, trials);
        }
        FitCounts kept = trial.cluster.inventory.counts(trial.key);
        assertThat(all(kept)).isEqualTo(expected(trial, kept.tree()));
        assertThat(kept.exclusions()).isEqualTo(exclusions(trial));
        assertThat(trial.cluster.inventory.counts(trial.key)).isSameAs(kept);
      }
    });
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void countsAreWhatTheRulesSayWhateverHappens(
      @ForAll("countsAreWhatTheRulesSayWhateverHappensRuns") Run run) {
    run.check();
  }

  /** {@return the number of open trials after a change} */
  private static int change(Trial trial, int trials) {
    Choices choices = trial.choices;
    int leaf = choices.nextInt(trial.leafCount());
    switch (choices.nextInt(5)) {
      case 0 -> trial.usage().charge(leaf, trial.pod(choices.nextInt(3)), 1);
      case 1 -> trial.usage().charge(leaf, trial.pod(choices.nextInt(3)), -1);
      case 2 -> trial.usage().assume(leaf, trial.pod(1), 1);
      case 3 -> {
        trial.usage().checkpoint();
        return trials + 1;
      }
      default -> {
        if (trials > 0) {
          trial.usage().rollback();
          return trials - 1;
        }
      }
    }
    return trials;
  }

  @Provide
  Arbitrary<Run> leavesOutsideOfARangeCountNothingRuns() {
    return Run.of(choices -> {
      Trial trial = new Trial(choices);
      int first = trial.choices.nextInt(trial.leafCount());
      int end = first + 1 + trial.choices.nextInt(trial.leafCount() - first);
      FitCounts some = trial.cluster.inventory.counts(trial.key, first, end);

      LeafMatches.Builder outside = new LeafMatches.Builder();
      for (int leaf = 0; leaf < trial.leafCount(); leaf++) {
        if (leaf < first || leaf >= end) {
          outside.exclude(leaf, "outside");
        } else if (!trial.key.matches().passes(leaf)) {
          outside.exclude(leaf, "taint");
        }
      }
      LeafMatches matches = trial.key.matches();
      FitKey key = new FitKey(
          trial.key.pod(),
          null,
          matches,
          matches,
          trial.key.countsUsage(),
          trial.key.slices(),
          NodeScores.NONE);
      FitCounts alone = trial.cluster.inventory.counts(key, first, end);
      FitCounts byMatch = trial.cluster.inventory.counts(key.withMatches(outside.build()));

      assertThat(all(alone)).isEqualTo(all(byMatch));
      assertThat(some.firstLeaf()).isEqualTo(first);
      assertThat(some.endOfLeaves()).isEqualTo(end);
      for (int leaf = 0; leaf < trial.leafCount(); leaf++) {
        if (leaf < first || leaf >= end) {
          assertThat(actual(some, 2, leaf)).isEqualTo(new Fit(0, 0, false, 0, 0));
        } else {
          assertThat(actual(some, 2, leaf)).isEqualTo(expected(trial, some.tree(), 2, leaf));
        }
      }
    });
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void leavesOutsideOfARangeCountNothing(@ForAll("leavesOutsideOfARangeCountNothingRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> copiesMayBeClearedAndRestoredRuns() {
    return Run.of(choices -> {
      Trial trial = new Trial(choices);
      FitCounts counts = trial.cluster.inventory.counts(trial.key);
      List<Fit> before = all(counts);
      FitCounts copy = counts.copy();
      int level = trial.choices.nextInt(3);
      int domain = trial.choices.nextInt(counts.tree().size(level));
      boolean leaderOnly = trial.key.leader() != null && trial.choices.nextBoolean();

      if (leaderOnly) {
        copy.clearLeader(level, domain);
      } else {
        copy.clear(level, domain);
      }

      for (int at = 0; at < 3; at++) {
        for (int each = 0; each < counts.tree().size(at); each++) {
          boolean isBelow = at >= level && counts.tree().ancestor(at, each, level) == domain;
          Fit was = actual(counts, at, each);
          Fit cleared =
              new Fit(leaderOnly ? was.pods : 0, leaderOnly ? was.slices : 0, false, 0, 0);
          assertThat(actual(copy, at, each)).isEqualTo(isBelow ? cleared : was);
        }
      }
      copy.restore(counts, level, domain, domain + 1);
      assertThat(all(copy)).isEqualTo(before);
      assertThat(all(counts)).isEqualTo(before);
      copy.clear(0, 0);
      copy.restore(counts, 0, 0, counts.tree().size(0));
      assertThat(all(copy)).isEqualTo(before);
    });
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void copiesMayBeClearedAndRestored(@ForAll("copiesMayBeClearedAndRestoredRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> recountingGoesOneLevelUpRuns() {
    return Run.of(choices -> {
      Trial trial = new Trial(choices);
      // Inner layers do not count when a domain is counted again: BalancedPlacementTest has
      // examples.
      Assume.that(trial.key.slices().layers().size() <= 1);
      FitCounts counts = trial.cluster.inventory.counts(trial.key);
      FitCounts copy = counts.copy();
      int leaf = trial.choices.nextInt(trial.leafCount());
      int rack = counts.tree().ancestor(2, leaf, 1);
      int block = counts.tree().ancestor(2, leaf, 0);
      copy.clear(2, leaf);
      copy.recount(1, rack);
      copy.recount(0, block);

      LeafMatches without = trial.key.matches().without(leaf, "gone");
      LeafMatches leaderWithout = trial.key.leaderMatches().without(leaf, "gone");
      FitCounts fresh = trial.cluster.inventory.counts(new FitKey(
          trial.key.pod(),
          trial.key.leader(),
          without,
          leaderWithout,
          trial.key.countsUsage(),
          trial.key.slices(),
          NodeScores.NONE));
      assertThat(all(copy)).isEqualTo(all(fresh));
    });
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void recountingGoesOneLevelUp(@ForAll("recountingGoesOneLevelUpRuns") Run run) {
    run.check();
  }
}
