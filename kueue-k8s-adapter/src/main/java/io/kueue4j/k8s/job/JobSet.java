package io.kueue4j.k8s.job;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.google.common.base.MoreObjects;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import io.kueue4j.k8s.internal.yaml.KeepsFields;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JobSet, {@code jobset.x-k8s.io/v1alpha2}: a set of jobs that belong together.
 *
 * <p>Has typed fields for what admission reads; every other field is kept and written back. Only
 * metadata and API version have setters, as fabric8 requires; to change anything else, create a
 * copy with {@link #withSpec}.
 *
 * @since 0.1.0
 */
@Group("jobset.x-k8s.io")
@Version("v1alpha2")
@Kind("JobSet")
// The interface requires a deserializer that selects the class by kind; here the class is known.
@JsonDeserialize(using = JsonDeserializer.None.class)
@JsonIgnoreProperties(value = "kind", allowGetters = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
public final class JobSet implements HasMetadata, Namespaced {
  private static final long serialVersionUID = 1L;

  private String apiVersion = "jobset.x-k8s.io/v1alpha2";
  private ObjectMeta metadata = new ObjectMeta();
  private JobSetSpec spec = JobSetSpec.EMPTY;
  private @Nullable JobSetStatus status;
  private final Map<String, Object> additionalProperties = new LinkedHashMap<>();

  private JobSet() {}

  /** Creates a JobSet without status. */
  public JobSet(ObjectMeta metadata, JobSetSpec spec) {
    this.metadata = metadata;
    this.spec = spec;
  }

  @Override
  public String getApiVersion() {
    return apiVersion;
  }

  @Override
  public void setApiVersion(String version) {
    apiVersion = version;
  }

  @Override
  public String getKind() {
    return "JobSet";
  }

  @Override
  public ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public void setMetadata(@Nullable ObjectMeta newMetadata) {
    metadata = Objects.requireNonNullElseGet(newMetadata, ObjectMeta::new);
  }

  /** {@return the spec} */
  @JsonProperty
  public JobSetSpec getSpec() {
    return spec;
  }

  /** {@return the status, null before a controller has set it} */
  @JsonProperty
  public @Nullable JobSetStatus getStatus() {
    return status;
  }

  /** {@return a copy with another spec; metadata and status are shared} */
  public JobSet withSpec(JobSetSpec newSpec) {
    JobSet copy = copy();
    copy.spec = newSpec;
    return copy;
  }

  /** {@return a copy with another status; metadata and spec are shared} */
  public JobSet withStatus(JobSetStatus newStatus) {
    JobSet copy = copy();
    copy.status = newStatus;
    return copy;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof JobSet other
        && apiVersion.equals(other.apiVersion)
        && metadata.equals(other.metadata)
        && spec.equals(other.spec)
        && Objects.equals(status, other.status)
        && additionalProperties.equals(other.additionalProperties);
  }

  @Override
  public int hashCode() {
    return Objects.hash(apiVersion, metadata, spec, status, additionalProperties);
  }

  @Override
  public String toString() {
    return MoreObjects.toStringHelper(this)
        .add("metadata", metadata)
        .add("spec", spec)
        .add("status", status)
        .add("additionalProperties", additionalProperties)
        .toString();
  }

  @JsonAnyGetter
  Map<String, Object> additionalProperties() {
    return additionalProperties;
  }

  private JobSet copy() {
    JobSet copy = new JobSet();
    copy.apiVersion = apiVersion;
    copy.metadata = metadata;
    copy.spec = spec;
    copy.status = status;
    copy.additionalProperties.putAll(additionalProperties);
    return copy;
  }

  @JsonProperty("spec")
  void readSpec(@Nullable JobSetSpec newSpec) {
    spec = Objects.requireNonNullElse(newSpec, JobSetSpec.EMPTY);
  }

  @JsonProperty("status")
  void readStatus(@Nullable JobSetStatus newStatus) {
    status = newStatus;
  }

  @JsonAnySetter
  void readOther(String name, @Nullable Object value) {
    additionalProperties.put(name, value);
  }

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

  /**
   * How far the jobs of one {@link JobSet.ReplicatedJob} are; counts jobs, not pods.
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
}
