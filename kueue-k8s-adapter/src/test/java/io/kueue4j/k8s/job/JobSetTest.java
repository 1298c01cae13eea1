package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class JobSetTest {
  private static final String JSON =
      "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet',".replace('\'', '"')
          + ("'metadata':{'name':'train','uid':'1'},"
                  + "'spec':{'replicatedJobs':[{'name':'workers','replicas':2,"
                  + "'template':{'spec':{'parallelism':4,'newField':1}},"
                  + "'dependsOn':[{'name':'driver','status':'Ready'}]}],"
                  + "'suspend':true,'managedBy':'example.com/controller',"
                  + "'failurePolicy':{'maxRestarts':4},'network':{'enableDNSHostnames':true}},"
                  + "'status':{'conditions':[{'status':'True','type':'Completed'}],"
                  + "'replicatedJobsStatus':[{'name':'workers','ready':1,'succeeded':1,'failed':0,"
                  + "'active':0,'suspended':0,'later':true}],'restarts':3},"
                  + "'extra':[1,2]}")
              .replace('\'', '"');

  private static JobSet read(String json) throws JsonProcessingException {
    return Jobs.MAPPER.readValue(json, JobSet.class);
  }

  @Test
  void readsWhatAdmissionNeeds() throws JsonProcessingException {
    JobSet jobSet = read(JSON);
    assertThat(jobSet.getMetadata().getName()).isEqualTo("train");
    assertThat(jobSet.getKind()).isEqualTo("JobSet");
    assertThat(jobSet.getApiVersion()).isEqualTo("jobset.x-k8s.io/v1alpha2");
    assertThat(jobSet.getSpec().suspend()).isTrue();
    assertThat(jobSet.getSpec().managedBy()).isEqualTo("example.com/controller");
    JobSet.ReplicatedJob job = jobSet.getSpec().replicatedJobs().get(0);
    assertThat(job.name()).isEqualTo("workers");
    assertThat(job.replicas()).isEqualTo(2);
    assertThat(job.template().getSpec().getParallelism()).isEqualTo(4);
    JobSet.JobSetStatus status = Objects.requireNonNull(jobSet.getStatus());
    assertThat(status.conditions()).hasSize(1);
    assertThat(status.replicatedJobsStatus().get(0).succeeded()).isEqualTo(1);
  }

  @Test
  void writesBackWhatItDoesNotKnow() throws JsonProcessingException {
    JobSet edited = read(JSON).withSpec(read(JSON).getSpec().withSuspend(true));
    assertThat(edited.additionalProperties()).containsOnlyKeys("extra");
    assertThat(Jobs.MAPPER.readTree(Jobs.MAPPER.writeValueAsString(edited)))
        .isEqualTo(Jobs.MAPPER.readTree(JSON));
  }

  @Test
  void absentFieldsAreEmpty() throws JsonProcessingException {
    JobSet jobSet = read("{\"metadata\":{\"name\":\"a\"},\"spec\":null}");
    assertThat(jobSet.getSpec().replicatedJobs()).isEmpty();
    assertThat(jobSet.getStatus()).isNull();
    JobSet bare = read("{\"spec\":{\"replicatedJobs\":[{}]},\"status\":{}}");
    assertThat(bare.getSpec().replicatedJobs())
        .containsExactly(new JobSet.ReplicatedJob("", null, new JobTemplateSpec(), Map.of()));
    assertThat(bare.getStatus()).isEqualTo(new JobSet.JobSetStatus(List.of(), List.of(), Map.of()));
  }

  @Test
  void copiesShareNothingThatChanges() {
    JobSet jobSet = Jobs.jobSet(Jobs.replicated("a", 1, 1));
    JobSet running = jobSet
        .withSpec(jobSet.getSpec().withSuspend(false))
        .withStatus(new JobSet.JobSetStatus(List.of(), List.of(), Map.of()));
    assertThat(jobSet.getSpec().suspend()).isTrue();
    assertThat(jobSet.getStatus()).isNull();
    assertThat(running.getSpec().suspend()).isFalse();
    running.setMetadata(new ObjectMetaBuilder().withName("other").build());
    running.setApiVersion("jobset.x-k8s.io/v1");
    assertThat(jobSet.getMetadata().getName()).isEqualTo("train");
    assertThat(jobSet.getApiVersion()).isEqualTo("jobset.x-k8s.io/v1alpha2");
  }

  @Test
  void isSerializableAsAllModelsAre() throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(read(JSON));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(read(JSON));
    }
  }

  @Test
  void equalsByContent() throws JsonProcessingException {
    assertThat(read(JSON)).isEqualTo(read(JSON)).hasSameHashCodeAs(read(JSON));
    assertThat(read(JSON)).isNotEqualTo(read(JSON.replace("[1,2]", "[1]")));
    assertThat(read(JSON)).hasToString(read(JSON).toString()).asString().contains("workers");
  }
}
