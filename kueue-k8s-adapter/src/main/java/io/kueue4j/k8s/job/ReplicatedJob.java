package io.kueue4j.k8s.job;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import io.kueue4j.k8s.internal.yaml.KeepsFields;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A number of equal jobs of a {@link JobSet}.
 *
 * @param name the name, unique in the JobSet
 * @param replicas the number of jobs, null for 1
 * @param template the job; not to be modified
 * @param additionalProperties all other fields, by name
 * @since 0.1.0
 */
@KeepsFields({"dependsOn", "groupName"})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReplicatedJob(
    String name,
    @Nullable Integer replicas,
    JobTemplateSpec template,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties)
    implements Serializable {

  /** Null stands for an empty name, template and map. */
  public ReplicatedJob {
    name = Objects.requireNonNullElse(name, "");
    template = Objects.requireNonNullElseGet(template, JobTemplateSpec::new);
    additionalProperties = OtherFields.copy(additionalProperties);
  }

  /** Creates equal jobs without any other field. */
  public ReplicatedJob(String name, int replicas, JobTemplateSpec template) {
    this(name, (Integer) replicas, template, Map.of());
  }

  /** {@return this with another job} */
  public ReplicatedJob withTemplate(JobTemplateSpec newTemplate) {
    return new ReplicatedJob(name, replicas, newTemplate, additionalProperties);
  }
}
