package io.kueue4j.core.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.model.Cohort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The forest, step by step, against {@link ReferenceForest}, which computes all anew. */
class ForestProperties {
  private static final int QUEUES = 5;
  private static final int COHORTS = 4;

  private enum Kind {
    PUT_QUEUE,
    PUT_COHORT,
    REMOVE_QUEUE,
    REMOVE_COHORT,
    ADD,
    REMOVE
  }

  /** One change; which numbers count depends on the kind. */
  record Step(
      Kind kind,
      int index,
      int parent,
      long amount,
      OptionalLong borrowing,
      OptionalLong lending) {}

  @Provide
  Arbitrary<List<Step>> histories() {
    return steps(
            Kind.PUT_QUEUE,
            Kind.PUT_COHORT,
            Kind.REMOVE_QUEUE,
            Kind.REMOVE_COHORT,
            Kind.ADD,
            Kind.ADD,
            Kind.ADD,
            Kind.REMOVE,
            Kind.REMOVE,
            Kind.REMOVE)
        .list()
        .ofMinSize(10)
        .ofMaxSize(40);
  }

  @Provide
  Arbitrary<List<Step>> configurations() {
    return steps(Kind.PUT_QUEUE, Kind.PUT_COHORT, Kind.PUT_QUEUE).list().ofSize(12);
  }

  @Provide
  Arbitrary<List<Step>> usageChanges() {
    return steps(Kind.ADD, Kind.ADD, Kind.REMOVE).list().ofMinSize(5).ofMaxSize(25);
  }

  private static Arbitrary<Step> steps(Kind... kinds) {
    Arbitrary<Long> amounts = Arbitraries.longs().between(0, 12);
    Arbitrary<OptionalLong> limits = Arbitraries.longs()
        .between(-3, 8)
        .map(limit -> limit < 0 ? OptionalLong.empty() : OptionalLong.of(limit));
    return Combinators.combine(
            Arbitraries.of(kinds),
            Arbitraries.integers().between(0, QUEUES - 1),
            Arbitraries.integers().between(-1, COHORTS - 1),
            amounts,
            limits,
            limits)
        .as(Step::new);
  }

  @Property(tries = 400)
  void everyNumberIsWhatARecomputationGives(
      @ForAll("configurations") List<Step> configuration, @ForAll("histories") List<Step> history) {
    Pair pair = new Pair();
    configuration.forEach(pair::take);
    for (Step step : history) {
      pair.take(step);
      pair.compare();
    }
  }

  @Property(tries = 200)
  void rollbackRestoresEveryNumber(
      @ForAll("configurations") List<Step> configuration,
      @ForAll("usageChanges") List<Step> before,
      @ForAll("usageChanges") List<Step> trial,
      @ForAll("usageChanges") List<Step> nestedTrial) {
    Pair pair = new Pair();
    configuration.forEach(pair::take);
    before.forEach(pair::take);
    List<Long> start = pair.numbers();

    Map<QuotaTree, Integer> outer = pair.checkpoint();
    trial.forEach(pair::take);
    List<Long> middle = pair.numbers();
    Map<QuotaTree, Integer> inner = pair.checkpoint();
    nestedTrial.forEach(pair::take);

    inner.forEach(QuotaTree::rollback);
    assertThat(pair.numbers()).isEqualTo(middle);
    outer.forEach(QuotaTree::rollback);
    assertThat(pair.numbers()).isEqualTo(start);
  }

  @Property(tries = 200)
  void rebuiltTreeEqualsTheOneKeptUpToDate(
      @ForAll("configurations") List<Step> configuration,
      @ForAll("usageChanges") List<Step> changes,
      @ForAll("factors") long factor) {
    Pair pair = new Pair();
    configuration.forEach(step -> pair.take(scaled(step, factor)));
    changes.forEach(step -> pair.take(scaled(step, factor)));
    List<Long> kept = pair.numbers();

    for (QueueQuota queue : pair.queues()) {
      pair.gpus.forest.ensureColumns(queue, new FlavorResource[] {pair.gpus.pair("another")});
    }

    assertThat(pair.numbers()).isEqualTo(kept);
  }

  /** Up to amounts of about 2^53. */
  @Provide
  Arbitrary<Long> factors() {
    return Arbitraries.of(1L, 1000L, 1L << 40, (1L << 53) / (30 * 12) - 1);
  }

  private static Step scaled(Step step, long factor) {
    return new Step(
        step.kind,
        step.index,
        step.parent,
        step.amount * factor,
        scaled(step.borrowing, factor),
        scaled(step.lending, factor));
  }

  private static OptionalLong scaled(OptionalLong limit, long factor) {
    return limit.isPresent() ? OptionalLong.of(limit.getAsLong() * factor) : limit;
  }

  /** The forest and its reference, changed together. */
  private static final class Pair {
    final GpuForest gpus = new GpuForest();
    private final ReferenceForest reference = new ReferenceForest();

    private static String queueName(int index) {
      return "queue-" + index;
    }

    private static String cohortName(int index) {
      return "cohort-" + index;
    }

    private static Optional<String> cohort(int index) {
      return index < 0 ? Optional.empty() : Optional.of(cohortName(index));
    }

    List<QueueQuota> queues() {
      List<QueueQuota> found = new ArrayList<>();
      for (int i = 0; i < QUEUES; i++) {
        gpus.forest.queue(queueName(i)).ifPresent(found::add);
      }
      return found;
    }

    void take(Step step) {
      String queue = queueName(step.index);
      switch (step.kind) {
        case PUT_QUEUE -> putQueue(queue, cohort(step.parent), step);
        case PUT_COHORT -> {
          int cohort = step.index % COHORTS;
          // Only cohorts of lower numbers are parents, so there is no cycle.
          putCohort(cohortName(cohort), cohort(Math.min(step.parent, cohort - 1)), step);
        }
        case REMOVE_QUEUE -> {
          gpus.forest.queue(queue).ifPresent(gpus::remove);
          reference.remove(queue);
        }
        case REMOVE_COHORT -> {
          gpus.removeCohort(cohortName(step.index % COHORTS));
          reference.remove(cohortName(step.index % COHORTS));
        }
        case ADD ->
          gpus.forest.queue(queue).ifPresent(found -> {
            ensureColumn(found);
            gpus.use(found, step.amount);
            reference.add(queue, step.amount);
          });
        case REMOVE ->
          gpus.forest.queue(queue).ifPresent(found -> {
            long amount = Math.min(step.amount, gpus.usage(found));
            gpus.release(found, amount);
            reference.add(queue, -amount);
          });
      }
    }

    private void ensureColumn(QueueQuota queue) {
      gpus.forest.ensureColumns(queue, new FlavorResource[] {gpus.pair});
    }

    private void putQueue(String name, Optional<String> cohort, Step step) {
      gpus.put(GpuForest.queueSpec(name, GpuForest.quota(step.amount, step.borrowing, step.lending))
          .cohort(cohort)
          .build());
      reference.put(
          name, new ReferenceForest.Node(true, cohort, step.amount, step.borrowing, step.lending));
    }

    private void putCohort(String name, Optional<String> parent, Step step) {
      gpus.put(Cohort.builder()
          .name(name)
          .parent(parent)
          .addResourceGroups(
              GpuForest.group(GpuForest.quota(step.amount, step.borrowing, step.lending)))
          .build());
      reference.put(
          name, new ReferenceForest.Node(false, parent, step.amount, step.borrowing, step.lending));
    }

    void compare() {
      for (QueueQuota queue : queues()) {
        String name = queue.name();
        assertThat(gpus.usage(queue)).as("usage of %s", name).isEqualTo(reference.usage(name));
        assertThat(gpus.available(queue))
            .as("available to %s", name)
            .isEqualTo(reference.available(name));
        assertThat(gpus.potential(queue))
            .as("potential of %s", name)
            .isEqualTo(reference.potential(name));
        assertThat(gpus.borrows(queue))
            .as("%s borrows", name)
            .isEqualTo(reference.borrowsWith(name, 0));
        for (long amount : new long[] {0, 1, 3, 7, 20}) {
          assertThat(gpus.level(queue, amount))
              .as("level of %d in %s", amount, name)
              .isEqualTo(reference.level(name, amount));
          assertThat(gpus.mayReclaim(queue, amount))
              .as("%s may reclaim for %d", name, amount)
              .isEqualTo(reference.mayReclaim(name, amount));
        }
        compareAbove(queue);
        compareBorrowing(queue.tree());
      }
    }

    private void compareBorrowing(QuotaTree tree) {
      int column = tree.column(gpus.pair);
      List<Integer> found = new ArrayList<>();
      for (int node = tree.borrowers().next(0, column);
          node >= 0;
          node = tree.borrowers().next(node + 1, column)) {
        found.add(node);
      }
      assertThat(found)
          .as("nodes that borrow")
          .isEqualTo(IntStream.range(0, tree.nodeCount())
              .filter(node -> tree.borrowsWith(node, column, 0))
              .boxed()
              .toList());
    }

    private void compareAbove(QueueQuota queue) {
      QuotaTree tree = queue.tree();
      int column = tree.column(gpus.pair);
      int node = queue.node();
      Optional<String> name = reference.parent(queue.name());
      while (name.isPresent()) {
        node = tree.parent(node);
        assertThat(tree.subtree(node, column))
            .as("subtree quota of %s", name)
            .isEqualTo(reference.subtree(name.get()));
        assertThat(tree.usage(node, column))
            .as("usage of %s", name)
            .isEqualTo(reference.usage(name.get()));
        name = reference.parent(name.get());
      }
      assertThat(tree.hasParent(node))
          .as("node above the root of %s", queue.name())
          .isFalse();
    }

    Map<QuotaTree, Integer> checkpoint() {
      Map<QuotaTree, Integer> checkpoints = new LinkedHashMap<>();
      queues().forEach(queue -> checkpoints.computeIfAbsent(queue.tree(), QuotaTree::checkpoint));
      return checkpoints;
    }

    /** Every number of every tree. */
    List<Long> numbers() {
      Map<String, Long> numbers = new TreeMap<>();
      for (QueueQuota queue : queues()) {
        QuotaTree tree = queue.tree();
        int column = tree.column(gpus.pair);
        int node = queue.node();
        for (int up = 0; node >= 0; up++) {
          String key = queue.name() + " up " + up;
          numbers.put(key + " usage", tree.usage(node, column));
          numbers.put(key + " subtree", tree.subtree(node, column));
          numbers.put(key + " potential", tree.potential(node, column));
          numbers.put(key + " borrows", (long) tree.borrowers().next(node, column));
          node = tree.parent(node);
        }
        numbers.put(queue.name() + " available", gpus.available(queue));
      }
      return List.copyOf(numbers.values());
    }
  }
}
