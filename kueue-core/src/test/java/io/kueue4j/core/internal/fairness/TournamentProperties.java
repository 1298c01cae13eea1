package io.kueue4j.core.internal.fairness;

import static io.kueue4j.core.internal.fairness.GpuCohorts.cohort;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** The tournament against one that takes every share anew for every decision. */
class TournamentProperties {
  private static final List<String> COHORTS = List.of("r", "left", "right", "deep", "other");
  private static final List<Double> WEIGHTS = List.of(1.0, 1.0, 2.0, 0.5, 0.0);

  @Provide
  Arbitrary<Run> agreesWithOneThatRemembersNothingRuns() {
    return Run.of(choices -> {
      boolean prefersNonBorrowing = choices.nextBoolean();
      boolean hasPreemptors = choices.nextBoolean();
      GpuCohorts cohorts = new GpuCohorts()
          .with(
              cohort("left", choices.nextInt(3)).parent("r"),
              cohort("right", 0).parent("r").fairSharingWeight(weight(choices)),
              cohort("deep", choices.nextInt(3)).parent("left").fairSharingWeight(weight(choices)));
      List<TestContender> contenders = contenders(cohorts, choices, hasPreemptors);
      List<TestContender> remaining = new ArrayList<>(contenders);
      Tournament<TestContender> tournament =
          new Tournament<>(contenders, prefersNonBorrowing, UnaryOperator.identity());

      while (!remaining.isEmpty()) {
        TestContender expected = new SlowTournament(remaining, prefersNonBorrowing).winner();
        TestContender next = tournament.next();
        assertThat(next).isSameAs(expected);
        remaining.remove(expected);
        if (choices.nextBoolean()) {
          expected.charge();
        }
      }
      assertThat(tournament.next()).isNull();
    });
  }

  @Property(tries = 300)
  void agreesWithOneThatRemembersNothing(@ForAll("agreesWithOneThatRemembersNothingRuns") Run run) {
    run.check();
  }

  private static double weight(Choices choices) {
    return choices.of(WEIGHTS);
  }

  private static List<TestContender> contenders(
      GpuCohorts cohorts, Choices choices, boolean hasPreemptors) {
    int size = 2 + choices.nextInt(7);
    for (int i = 0; i < size; i++) {
      String cohort = choices.of(COHORTS);
      int quota = choices.nextInt(5);
      double weight = weight(choices);
      choices.note("q%s in %s with quota %s and %s", i, cohort, quota, weight);
      cohorts.with(queue("q" + i, cohort, quota).fairSharingWeight(weight));
    }
    List<TestContender> contenders = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int used = choices.nextInt(6);
      int amount = choices.nextInt(4);
      boolean preempts = hasPreemptors && choices.oneIn(4);
      choices.note(
          "q%s uses %s, asks for %s%s", i, used, amount, preempts ? " as a preemptor" : "");
      cohorts.use("q" + i, used);
      contenders.add(TestContender.of(cohorts, "q" + i, amount, preempts, i));
    }
    return contenders;
  }

  /** Rules H-9, H-10 and H-11, implemented literally. */
  private record SlowTournament(List<TestContender> remaining, boolean prefersNonBorrowing) {
    TestContender winner() {
      TestContender first =
          remaining.stream().min(Comparator.comparing(TestContender::name)).orElseThrow();
      QuotaTree tree = first.queue().tree();
      List<TestContender> sameRoot = remaining.stream()
          .filter(contender -> contender.queue().tree() == tree)
          .toList();
      TestContender winner = tree.hasParent(first.queue().node()) ? best(sameRoot, 0) : first;
      assertThat(winner).isNotNull();
      return winner == null ? first : winner;
    }

    /** {@return the best of those below a cohort, each child sending its best} */
    private @Nullable TestContender best(List<TestContender> candidates, int cohort) {
      TestContender best = null;
      int bestChild = -1;
      for (int child : children(candidates, cohort)) {
        List<TestContender> below = candidates.stream()
            .filter(contender -> childAbove(contender.queue(), cohort) == child)
            .toList();
        boolean isQueue = below.get(0).queue().node() == child;
        TestContender sent = isQueue ? below.get(0) : best(below, child);
        if (sent != null && (best == null || beats(sent, child, best, bestChild))) {
          best = sent;
          bestChild = child;
        }
      }
      return best;
    }

    private static List<Integer> children(List<TestContender> candidates, int cohort) {
      return candidates.stream()
          .map(contender -> childAbove(contender.queue(), cohort))
          .distinct()
          .toList();
    }

    private static int childAbove(QueueQuota queue, int cohort) {
      int node = queue.node();
      while (queue.tree().parent(node) != cohort) {
        node = queue.tree().parent(node);
      }
      return node;
    }

    private boolean beats(TestContender a, int childOfA, TestContender b, int childOfB) {
      if (a.isPreemptor() != b.isPreemptor()) {
        return a.isPreemptor();
      }
      boolean borrowsA = borrows(a, childOfA);
      if (prefersNonBorrowing && borrowsA != borrows(b, childOfB)) {
        return !borrowsA;
      }
      int byShare = share(a, childOfA).compareTo(share(b, childOfB));
      return byShare != 0 ? byShare < 0 : a.rank() < b.rank();
    }

    private static boolean borrows(TestContender contender, int node) {
      QuotaTree tree = contender.queue().tree();
      int checkpoint = tree.checkpoint();
      contender.charge();
      boolean borrows = false;
      for (int i = 0; i < contender.size(); i++) {
        int column = tree.column(contender.pair(i));
        borrows |= contender.amount(i) > 0 && tree.usage(node, column) > tree.subtree(node, column);
      }
      tree.rollback(checkpoint);
      return borrows;
    }

    private static Share share(TestContender contender, int node) {
      QuotaTree tree = contender.queue().tree();
      int checkpoint = tree.checkpoint();
      contender.charge();
      Share share = Share.of(tree, node);
      tree.rollback(checkpoint);
      return share;
    }
  }
}
