package io.kueue4j.k8s.job;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;

/**
 * How far the jobs of one {@link ReplicatedJob} are; counts jobs, not pods.
 *
 * @param name the name of the replicated job
 * @param ready jobs whose pods are ready
 * @param succeeded jobs that have succeeded
 * @param failed jobs that have failed
 * @param active jobs with pods that have not ended
 * @param suspended jobs that are suspended
 * @param additionalProperties all other fields, by name
 * @since 0.1.0
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReplicatedJobStatus(
    String name,
    int ready,
    int succeeded,
    int failed,
    int active,
    int suspended,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties)
    implements Serializable {

  /** Null stands for an empty name and map. */
  public ReplicatedJobStatus {
    name = Objects.requireNonNullElse(name, "");
    additionalProperties = OtherFields.copy(additionalProperties);
  }
}
