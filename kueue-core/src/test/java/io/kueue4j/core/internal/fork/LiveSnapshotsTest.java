package io.kueue4j.core.internal.fork;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.quota.CohortTree;
import io.kueue4j.core.internal.state.EngineState;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveSnapshotsTest {
  private final LiveSnapshots snapshots = new LiveSnapshots();
  private final EngineState state = new EngineState(Settings.defaults());
  private final SnapshotTracker tracker = new SnapshotTracker(state);
  private final StateAccess access = new StateAccess() {
    @Override
    public <R> R call(Function<? super EngineState, ? extends R> question) {
      return question.apply(state);
    }
  };
  private int copies;

  private Snapshot current() {
    return snapshots.current(number -> new Snapshot(access, state, tracker, number));
  }

  private void give(String name) {
    snapshots.give(StatePart.Id.tree(name), snapshot -> copy(name));
  }

  private StatePart copy(String name) {
    copies++;
    return new CohortTreeState(name, CohortTree.empty(), ImmutableMap.of(), ImmutableMap.of());
  }

  /** Postpones the copies for a change, which is taken back with {@code before}. */
  private void defer(String name, Runnable before) {
    snapshots.defer(
        StatePart.Id.tree(name),
        action -> {
          before.run();
          action.run();
        },
        snapshot -> copy(name));
  }

  @Test
  void theSameSnapshotServesUntilSomethingChanges() {
    Snapshot first = current();
    assertThat(current()).isSameAs(first);
    give("a");
    Snapshot second = current();
    assertThat(second).isNotSameAs(first);
    assertThat(current()).isSameAs(second);
  }

  @Test
  void everySnapshotIsGivenAPartOnce() {
    Snapshot first = current();
    give("a");
    give("a");
    Snapshot second = current();
    give("a");

    assertThat(copies).isEqualTo(2);
    assertThat(first.kept().tree("a")).isPresent();
    assertThat(second.kept().tree("a")).isPresent();
  }

  @Test
  void snapshotsBetweenWhichAPartDidNotChangeShareTheCopy() {
    Snapshot first = current();
    give("a");
    Snapshot second = current();
    give("b");

    assertThat(copies).isEqualTo(2);
    assertThat(first.kept().tree("b").orElseThrow())
        .isSameAs(second.kept().tree("b").orElseThrow());
    assertThat(second.kept().has(StatePart.Id.tree("a"))).isFalse();
  }

  @Test
  void aPostponedCopyIsMadeBeforeTheNextChangeForTheSnapshotsBeforeTheFirst() {
    List<String> order = new ArrayList<>();
    Snapshot before = current();
    defer("a", () -> order.add("taken back with " + copies + " copies"));
    assertThat(copies).isZero();
    Snapshot between = current();
    assertThat(between).isNotSameAs(before);

    give("a");

    assertThat(order).containsExactly("taken back with 0 copies");
    assertThat(copies).isEqualTo(2);
    assertThat(before.kept().tree("a").orElseThrow())
        .isNotSameAs(between.kept().tree("a").orElseThrow());
  }

  @Test
  void aPostponedCopyIsMadeForAReaderOnlyIfItIsOlder() {
    StatePart.Id id = StatePart.Id.tree("a");
    Snapshot older = current();
    defer("a", () -> {});
    Snapshot younger = current();

    snapshots.settle(younger, id, snapshot -> copy("a"));
    assertThat(copies).isZero();
    snapshots.settle(older, id, snapshot -> copy("a"));

    assertThat(copies).isEqualTo(1);
    assertThat(older.kept().has(id)).isTrue();
    assertThat(younger.kept().has(id)).isFalse();
    assertThat(current()).as("reading changes nothing").isSameAs(younger);
  }

  @Test
  void nothingIsPostponedForSnapshotsThatHaveThePart() {
    Snapshot snapshot = current();
    give("a");
    defer("a", () -> {});

    assertThat(snapshots.deferred()).isEmpty();
    assertThat(snapshot.kept().has(StatePart.Id.tree("a"))).isTrue();
  }

  @Test
  void aCompleteSnapshotIsGivenNothingMore() {
    Snapshot snapshot = current();
    snapshots.complete();

    assertThat(snapshot.kept().isComplete()).isTrue();
    assertThat(snapshots.isEmpty()).isTrue();
    assertThat(current()).isNotSameAs(snapshot);
  }

  @Test
  void anOldSnapshotDoesNotStandInForYoungerOnesThatWereDropped() throws InterruptedException {
    Snapshot first = current();
    give("a");
    WeakReference<Snapshot> second = new WeakReference<>(current());
    give("a");
    WeakReference<Snapshot> third = new WeakReference<>(current());
    for (int i = 0; i < 100 && !(second.refersTo(null) && third.refersTo(null)); i++) {
      System.gc();
      Thread.sleep(10);
    }
    Thread.sleep(100);

    assertThat(snapshots.isEmpty()).as("the first is still there").isFalse();
    assertThat(current()).isNotSameAs(first);
    assertThat(first.kept().has(StatePart.Id.tree("a"))).isTrue();
  }

  @Test
  void droppedSnapshotsAreForgotten() throws InterruptedException {
    @Nullable Snapshot kept = current();
    give("a");
    assertThat(snapshots.isEmpty()).isFalse();
    assertThat(kept).isNotNull();
    kept = null;
    for (int i = 0; i < 100 && !snapshots.isEmpty(); i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(snapshots.isEmpty()).isTrue();
    give("b");
    assertThat(copies).isEqualTo(1);
  }
}
