package io.kueue4j.k8s.job;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.collect.ImmutableList;
import io.kueue4j.k8s.yaml.KeepsFields;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a {@link JobSet}.
 *
 * @param replicatedJobs the jobs, in groups of equal ones
 * @param suspend whether nothing may run, null for no
 * @param managedBy the controller in charge, null for that of JobSet itself
 * @param additionalProperties all other fields, by name
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

  /** {@return the suspended spec of these jobs} */
  public static JobSetSpec suspended(ReplicatedJob... replicatedJobs) {
    return new JobSetSpec(ImmutableList.copyOf(replicatedJobs), true, null, Map.of());
  }

  /** {@return this, suspended or not} */
  public JobSetSpec withSuspend(boolean newSuspend) {
    return new JobSetSpec(replicatedJobs, newSuspend, managedBy, additionalProperties);
  }

  /** {@return this with other jobs} */
  public JobSetSpec withReplicatedJobs(List<ReplicatedJob> newReplicatedJobs) {
    return new JobSetSpec(newReplicatedJobs, suspend, managedBy, additionalProperties);
  }
}
