package io.kueue4j.core.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.ColumnMap;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is free on leaves, against sums that are kept one by one. */
class LeafUsageProperties {
  private static final int LEAVES = 5;
  private static final String[] RESOURCES = {"cpu", "gpu", "pods"};

  private static final List<String> ACTIONS =
      List.of("charge", "charge", "assume", "checkpoint", "rollback", "set capacity");

  private final Catalog catalog = new Catalog();
  private final ResourceName[] resources = {
    catalog.resource("cpu"), catalog.resource("gpu"), catalog.resource("pods")
  };
  private final ResourceName unknown = catalog.resource("unknown");

  /** Plain sums, copied as a whole for each trial, and a reader that keeps up by the log. */
  private final class Model {
    long[][] capacity = new long[LEAVES][resources.length];
    long[][] used = new long[LEAVES][resources.length];
    long[][] assumed = new long[LEAVES][resources.length];
    final Deque<long[][]> kept = new ArrayDeque<>();
    final long[][] read = new long[LEAVES][resources.length];
    long seen;

    long free(int leaf, int i, boolean countsUsage) {
      long taken = assumed[leaf][i] + (countsUsage ? used[leaf][i] : 0);
      return Math.max(0, capacity[leaf][i] - taken);
    }

    void open() {
      kept.push(copy(used));
      kept.push(copy(assumed));
    }

    void close() {
      assumed = kept.pop();
      used = kept.pop();
    }

    private long[][] copy(long[][] amounts) {
      long[][] copy = new long[LEAVES][];
      for (int leaf = 0; leaf < LEAVES; leaf++) {
        copy[leaf] = amounts[leaf].clone();
      }
      return copy;
    }

    /** Reads anew what has changed, all if the log does not reach back. */
    void catchUp(LeafUsage usage) {
      long end = usage.changeCount();
      if (seen < usage.firstKnownChange()) {
        for (int leaf = 0; leaf < LEAVES; leaf++) {
          read(usage, leaf);
        }
      } else {
        for (long change = seen; change < end; change++) {
          read(usage, usage.changedLeaf(change));
        }
      }
      seen = end;
    }

    private void read(LeafUsage usage, int leaf) {
      for (int i = 0; i < resources.length; i++) {
        read[leaf][i] = usage.free(leaf, resources[i], true);
      }
    }
  }

  private LeafUsage usage(Model model) {
    long[] capacity = new long[LEAVES * resources.length];
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      for (int i = 0; i < resources.length; i++) {
        capacity[leaf * resources.length + i] = model.capacity[leaf][i];
      }
    }
    return new LeafUsage(LEAVES, resources.length, ColumnMap.indexing(resources), capacity);
  }

  private PodRequest request(long cpu, long gpu) {
    return PodRequest.of(Map.of("cpu", cpu, "gpu", gpu, "unknown", 1L), catalog);
  }

  @Provide
  Arbitrary<Run> everyFigureIsTheSumOfWhatHappenedRuns() {
    return Run.of(choices -> {
      Model model = new Model();
      for (int leaf = 0; leaf < LEAVES; leaf++) {
        for (int i = 0; i < resources.length; i++) {
          model.capacity[leaf][i] = choices.nextInt(50);
        }
      }
      LeafUsage usage = usage(model);
      model.catchUp(usage);
      model.read(usage, 0);
      for (int leaf = 0; leaf < LEAVES; leaf++) {
        model.read(usage, leaf);
      }
      int steps = choices.oneIn(10) ? 3000 : 40;
      choices.repeat(steps, step -> {
        act(choices, model, usage);
        check(model, usage);
        if (choices.nextInt(steps == 40 ? 4 : 1500) == 0) {
          model.catchUp(usage);
          for (int leaf = 0; leaf < LEAVES; leaf++) {
            for (int i = 0; i < resources.length; i++) {
              assertThat(model.read[leaf][i]).as("read").isEqualTo(model.free(leaf, i, true));
            }
          }
        }
      });
      while (!model.kept.isEmpty()) {
        usage.rollback();
        model.close();
      }
      check(model, usage);
    });
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void everyFigureIsTheSumOfWhatHappened(@ForAll("everyFigureIsTheSumOfWhatHappenedRuns") Run run) {
    run.check();
  }

  private void act(Choices choices, Model model, LeafUsage usage) {
    int leaf = choices.nextInt(LEAVES);
    long cpu = choices.nextInt(5);
    long gpu = choices.nextInt(3);
    int count = choices.nextInt(7) - 3;
    int kind = choices.nextInt(6);
    choices.note("%s leaf %s by %s x (cpu %s, gpu %s)", ACTIONS.get(kind), leaf, count, cpu, gpu);
    switch (kind) {
      case 0, 1 -> {
        usage.charge(leaf, request(cpu, gpu), count);
        add(model.used[leaf], cpu, gpu, count);
      }
      case 2 -> {
        usage.assume(leaf, request(cpu, gpu), count);
        add(model.assumed[leaf], cpu, gpu, count);
      }
      case 3 -> {
        usage.checkpoint();
        model.open();
      }
      case 4 -> {
        if (!model.kept.isEmpty()) {
          usage.rollback();
          model.close();
        }
      }
      default -> {
        long[] amounts = {choices.nextInt(60) - 10, choices.nextInt(9), choices.nextInt(110)};
        usage.setCapacity(leaf, amounts);
        for (int i = 0; i < resources.length; i++) {
          model.capacity[leaf][i] = Math.max(0, amounts[i]);
        }
      }
    }
  }

  private static void add(long[] amounts, long cpu, long gpu, int count) {
    amounts[0] += cpu * count;
    amounts[1] += gpu * count;
    amounts[2] += count;
  }

  private void check(Model model, LeafUsage usage) {
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      for (int i = 0; i < resources.length; i++) {
        String what = RESOURCES[i] + " of leaf " + leaf;
        assertThat(usage.free(leaf, resources[i], true))
            .as(what)
            .isEqualTo(model.free(leaf, i, true));
        assertThat(usage.free(leaf, resources[i], false))
            .as(what)
            .isEqualTo(model.free(leaf, i, false));
      }
      assertThat(usage.free(leaf, unknown, true)).isZero();
    }
  }

  @Example
  void hugeChargesAreTakenBackAsTheyWereMade() {
    Model model = new Model();
    model.capacity[1][0] = 7;
    LeafUsage usage = usage(model);
    PodRequest huge = request(Long.MAX_VALUE, 0);

    for (int i = 0; i < 3000; i++) {
      usage.charge(1, huge, Integer.MAX_VALUE);
    }
    assertThat(usage.free(1, resources[0], true)).isZero();
    for (int i = 0; i < 3000; i++) {
      usage.charge(1, huge, -Integer.MAX_VALUE);
    }

    assertThat(usage.free(1, resources[0], true)).isEqualTo(7);
  }

  @Example
  void whoHasSeenNothingForLongReadsAllAnew() {
    LeafUsage usage = usage(new Model());
    long first = usage.changeCount();
    for (int i = 0; i < LEAVES + 2000; i++) {
      usage.charge(i % LEAVES, request(1, 0), 1);
    }

    assertThat(usage.changeCount() - first).isEqualTo(LEAVES + 2000);
    assertThat(usage.firstKnownChange()).isBetween(first + 1, usage.changeCount());
  }

  @Example
  void changesOfOneLeafCountOnceUntilTheNextLook() {
    LeafUsage usage = usage(new Model());

    usage.charge(2, request(1, 0), 1);
    usage.charge(2, request(1, 0), 1);
    assertThat(usage.changeCount()).isEqualTo(1);
    usage.charge(2, request(1, 0), 1);
    assertThat(usage.changeCount()).as("one has been looked at").isEqualTo(2);
    assertThat(usage.changedLeaf(1)).isEqualTo(2);
  }
}
