package io.kueue4j.k8s.job;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.collect.ImmutableList;
import io.kueue4j.k8s.internal.yaml.KeepsFields;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a {@link JobSet}.
 *
 * @param replicatedJobs the jobs, in groups of equal ones
 * @param suspend whether the JobSet is suspended, null for no
 * @param managedBy the controller of the JobSet, null for the JobSet controller
 * @param additionalProperties all other fields, by name
 * @since 0.1.0
 */
@KeepsFields({
  "coordinator",
  "failurePolicy",
  "network",
  "startupPolicy",
  "successPolicy",
  "ttlSecondsAfterFinished",
  "volumeClaimPolicies"
})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobSetSpec(
    List<ReplicatedJob> replicatedJobs,
    @Nullable Boolean suspend,
    @Nullable String managedBy,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties)
    implements Serializable {
  static final JobSetSpec EMPTY = new JobSetSpec(List.of(), null, null, Map.of());

  /** Copies list and map; null stands for an empty one. */
  public JobSetSpec {
    replicatedJobs = replicatedJobs == null ? List.of() : ImmutableList.copyOf(replicatedJobs);
    additionalProperties = OtherFields.copy(additionalProperties);
  }

  /** {@return a suspended spec with these jobs} */
  public static JobSetSpec suspended(ReplicatedJob... replicatedJobs) {
    return new JobSetSpec(ImmutableList.copyOf(replicatedJobs), true, null, Map.of());
  }

  /** {@return this spec with the given suspension} */
  public JobSetSpec withSuspend(boolean newSuspend) {
    return new JobSetSpec(replicatedJobs, newSuspend, managedBy, additionalProperties);
  }

  /** {@return this spec with other jobs} */
  public JobSetSpec withReplicatedJobs(List<ReplicatedJob> newReplicatedJobs) {
    return new JobSetSpec(newReplicatedJobs, suspend, managedBy, additionalProperties);
  }
}
