package io.kueue4j.core.internal.operation;

import com.google.common.math.LongMath;
import io.kueue4j.core.internal.attempt.PromisedStart;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.cycle.PromiseGuard.Query;
import io.kueue4j.core.internal.fleet.NodesAndFleets;
import io.kueue4j.core.internal.promise.KeptCapacity;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.state.CapacityWindows;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which capacity windows a workload would meet, and what they keep free of it.
 *
 * <p>Rules: PS-10, PS-11, PS-12.
 */
final class WindowPlans {
  private final EngineState state;

  WindowPlans(EngineState state) {
    this.state = state;
  }

  private CapacityWindows windows() {
    return state.configuration().windows();
  }

  boolean isEmpty() {
    return windows().isEmpty();
  }

  /** {@return whether a workload of a ClusterQueue may use what a window keeps} */
  static boolean isFor(CapacityWindow window, CompiledWorkload workload, String clusterQueue) {
    Workload source = workload.source();
    return window.clusterQueue().map(clusterQueue::equals).orElse(true)
        && window.isFor(
            VariantNames.submitted(source.id()),
            Configuration.localQueueKey(source.namespace(), source.queueName()));
  }

  /** {@return the windows that keep nodes, or amounts in a tree, at some time of a period} */
  List<CapacityWindow> in(QuotaTree tree, long startMillis, long endMillis) {
    return isEmpty()
        ? List.of()
        : windows().all().stream()
            .filter(window -> overlaps(window, startMillis, endMillis) && keepsIn(window, tree))
            .toList();
  }

  /** {@return the windows that keep something from a workload while it runs} */
  List<CapacityWindow> inTheWay(
      CompiledWorkload workload, QueueQuota queue, long startMillis, long endMillis) {
    List<CapacityWindow> in = in(queue.tree(), startMillis, endMillis);
    return in.isEmpty()
        ? in
        : in.stream().filter(window -> !isFor(window, workload, queue.name())).toList();
  }

  /** {@return the windows that keep something from a head as it would run} */
  List<CapacityWindow> inTheWay(Query query, long startMillis, long endMillis) {
    Head head = query.head();
    List<CapacityWindow> met =
        inTheWay(head.compiled(), head.queue().quota(), startMillis, endMillis);
    return query.assignment().places() != null || met.isEmpty()
        ? met
        : met.stream().filter(window -> window.nodeLabels().isEmpty()).toList();
  }

  private static boolean overlaps(CapacityWindow window, long startMillis, long endMillis) {
    return TimeMath.saturatedMillis(window.start()) < endMillis
        && TimeMath.saturatedMillis(window.end()) > startMillis;
  }

  private boolean keepsIn(CapacityWindow window, QuotaTree tree) {
    return window.clusterQueue().isEmpty() || queue(window, tree) != null;
  }

  private @Nullable QueueQuota queue(CapacityWindow window, QuotaTree tree) {
    return window
        .clusterQueue()
        .flatMap(state::queue)
        .map(QueueState::quota)
        .filter(queue -> queue.tree() == tree)
        .orElse(null);
  }

  /** {@return what a window keeps in a tree} */
  KeptCapacity keptIn(QuotaTree tree, CapacityWindow window) {
    return new KeptCapacity(
        window,
        queue(window, tree),
        holder -> isFor(window, holder.workload(), holder.clusterQueue()),
        state.catalog(),
        places());
  }

  private NodesAndFleets places() {
    return new NodesAndFleets(state.inventories(), state.fleets());
  }

  /** {@return the result of {@code action}, without the nodes that windows keep from a workload} */
  <T> T withoutKeptNodes(
      CompiledWorkload workload,
      QueueQuota queue,
      long startMillis,
      long endMillis,
      Supplier<T> action) {
    List<CapacityWindow> ofNodes = inTheWay(workload, queue, startMillis, endMillis).stream()
        .filter(window -> !window.nodeLabels().isEmpty())
        .toList();
    NodesAndFleets places = places();
    return ofNodes.isEmpty()
        ? action.get()
        : places.inTrial(() -> {
          ofNodes.forEach(window -> places.setClosed(window.nodeLabels(), true));
          return action.get();
        });
  }

  /** {@return whether the workload of an admission would meet a window if it started now} */
  boolean isMetBy(Admission admission, Instant now) {
    WorkloadRecord record = state.require(admission.workload());
    long start = TimeMath.saturatedMillis(now);
    long end = LongMath.saturatedAdd(start, record.compiled().expectedMillis());
    return !inTheWay(record.compiled(), record.requireQueue().quota(), start, end)
        .isEmpty();
  }

  /** Notes which promises may have to move because of a window that is new or has changed. */
  void changed(CapacityWindow window, Instant now) {
    for (PromisedStart promise : state.promises().all()) {
      QueueQuota queue = state.queue(promise.clusterQueue()).orElseThrow().quota();
      List<CapacityWindow> met =
          inTheWay(promise.workload(), queue, promise.startMillis(), promise.endMillis());
      if (met.contains(window)) {
        state.promises().set(promise.withCause(text(window, now)), now);
      }
    }
  }

  /** {@return why a workload waits that would end at a time} */
  static Reason reason(CapacityWindow window, long endMillis, Instant now) {
    return Reason.of(
        ReasonCode.RUNS_INTO_WINDOW,
        "would run into " + text(window, now)
            + (endMillis == Long.MAX_VALUE
                ? "; its duration is unknown"
                : "; it would end at " + Instant.ofEpochMilli(endMillis)));
  }

  /** {@return a window in words} */
  static String text(CapacityWindow window, Instant now) {
    return "the window " + window.name()
        + (window.start().isAfter(now)
            ? ", which begins at " + window.start()
            : ", which lasts until " + window.end());
  }
}
