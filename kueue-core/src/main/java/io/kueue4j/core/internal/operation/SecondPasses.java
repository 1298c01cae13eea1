package io.kueue4j.core.internal.operation;

import io.kueue4j.core.internal.lifecycle.SecondPass;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When places are searched for pods of workloads that hold quota already. */
final class SecondPasses {
  private SecondPasses() {}

  /** {@return the workloads whose search is due, by descending priority, then the oldest first} */
  static List<WorkloadRecord> due(
      EngineState state,
      Collection<WorkloadId> workloads,
      Function<WorkloadRecord, @Nullable SecondPass> search,
      Instant now) {
    return records(state, workloads)
        .filter(record -> {
          SecondPass pass = search.apply(record);
          return pass != null && pass.isDue(now);
        })
        .sorted(Comparator.<WorkloadRecord>comparingLong(
                record -> -record.compiled().priority())
            .thenComparingLong(state.pending()::queueTimeMillis)
            .thenComparing(WorkloadRecord::id))
        .toList();
  }

  /** {@return the time of the next search after {@code now}, empty if there is none} */
  static Optional<Instant> next(EngineState state, Instant now) {
    return Stream.concat(
            records(state, state.workloads().failed()).map(NodeFailures::search),
            records(state, state.books().placing()).map(DelayedPlacements::search))
        .filter(Objects::nonNull)
        .map(SecondPass::retryTime)
        .filter(now::isBefore)
        .min(Comparator.naturalOrder());
  }

  private static Stream<WorkloadRecord> records(
      EngineState state, Collection<WorkloadId> workloads) {
    return workloads.stream().flatMap(id -> Optional.ofNullable(state.record(id)).stream());
  }
}
