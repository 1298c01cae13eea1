package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * The names of variants: the name of their workload with the flavor in brackets, which is not a
 * valid name of a submitted workload. Callers see the submitted workload.
 *
 * <p>Rules: CA-2.
 */
public final class VariantNames {
  /** The preemption gate that the engine opens. */
  public static final String GATE = "kueue.x-k8s.io/concurrent-admission";

  private VariantNames() {}

  /** {@return the identity of the variant of a workload for a flavor} */
  public static WorkloadId variant(WorkloadId workload, String flavor) {
    return WorkloadId.of(workload.namespace(), workload.name() + "[" + flavor + "]");
  }

  /** {@return whether {@code id} identifies a variant} */
  public static boolean isVariant(WorkloadId id) {
    return id.name().endsWith("]");
  }

  /** {@return the submitted workload: the workload of a variant, or {@code id} itself} */
  public static WorkloadId submitted(WorkloadId id) {
    return isVariant(id)
        ? WorkloadId.of(id.namespace(), id.name().substring(0, id.name().indexOf('[')))
        : id;
  }

  /** {@return the admission, attributed to the submitted workload} */
  public static Admission submitted(Admission admission) {
    return isVariant(admission.workload())
        ? of(submitted(admission.workload()), admission)
        : admission;
  }

  /** {@return the workload with the name and uid of the submitted workload} */
  public static Workload submitted(Workload workload) {
    return isVariant(workload.id())
        ? Workload.builder()
            .from(workload)
            .name(submitted(workload.id()).name())
            .uid(workload.uid().substring(0, workload.uid().lastIndexOf('[')))
            .build()
        : workload;
  }

  /** {@return the same admission of another workload} */
  public static Admission of(WorkloadId workload, Admission admission) {
    return Admission.builder().from(admission).workload(workload).build();
  }

  /** {@return the flavor of a variant} */
  public static String flavor(WorkloadId variant) {
    return variant
        .name()
        .substring(variant.name().indexOf('[') + 1, variant.name().length() - 1);
  }

  /**
   * {@return the variant of a workload for a flavor}
   *
   * @param index the number of better flavors; among equals, the better variant goes first
   * @param active whether cycles try it
   */
  public static Workload variant(WorkloadRecord record, String flavor, int index, boolean active) {
    Workload workload = record.workload();
    return Workload.builder()
        .from(workload)
        .name(variant(workload.id(), flavor).name())
        .uid("%s[%02d]".formatted(workload.uid(), index))
        .active(active)
        .creationTime(workload.creationTime().orElse(record.submitted()))
        .allowedFlavors(ImmutableSortedSet.of(flavor))
        .preemptionGates(ImmutableSortedSet.<String>naturalOrder()
            .addAll(workload.preemptionGates())
            .add(GATE)
            .build())
        .maximumExecutionTime(Optional.empty())
        .build();
  }
}
