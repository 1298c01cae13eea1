package io.kueue4j.k8s.job;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Condition;
import io.kueue4j.k8s.internal.yaml.KeepsFields;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * The status of a {@link JobSet}.
 *
 * @param conditions its conditions
 * @param replicatedJobsStatus the status of its jobs
 * @param additionalProperties all other fields, by name
 * @since 0.1.0
 */
@KeepsFields({"restarts", "restartsCountTowardsMax", "terminalState"})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record JobSetStatus(
    List<Condition> conditions,
    List<ReplicatedJobStatus> replicatedJobsStatus,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties)
    implements Serializable {

  /** Copies the lists; null stands for an empty list or map. */
  public JobSetStatus {
    conditions = conditions == null ? List.of() : ImmutableList.copyOf(conditions);
    replicatedJobsStatus =
        replicatedJobsStatus == null ? List.of() : ImmutableList.copyOf(replicatedJobsStatus);
    additionalProperties = OtherFields.copy(additionalProperties);
  }
}
