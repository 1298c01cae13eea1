package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import java.util.Set;
import java.util.stream.Stream;

/** What an engine remembers of workloads with variants, and no status carries. */
final class UnstoredMemory {
  private UnstoredMemory() {}

  /**
   * {@return the admission that waits for pods to be ready, and the variants that their queues try
   * first because they have preempted or migrate}
   */
  static ImmutableList<String> of(AdmissionEngine engine, Set<WorkloadId> workloads) {
    return engine.inspect((EngineState state) -> Stream.concat(
            state.books().blocked().stream()
                .map(blocked -> holder(VariantNames.submitted(blocked.admission()))),
            workloads.stream().flatMap(id -> preemptors(state, id)))
        .collect(toImmutableList()));
  }

  private static Stream<String> preemptors(EngineState state, WorkloadId workload) {
    return state.variants().of(state.require(workload)).stream()
        .filter(UnstoredMemory::isPreemptor)
        .map(variant -> workload + " " + VariantNames.flavor(variant.workload().id()));
  }

  private static boolean isPreemptor(WorkloadRecord variant) {
    Head head = variant.head();
    return head != null && head.queue().pending().isPreemptor(head.pending());
  }

  /** {@return the workload and the flavor of an admission} */
  static String holder(Admission admission) {
    return admission.workload() + " " + DecisionText.flavor(admission);
  }
}
