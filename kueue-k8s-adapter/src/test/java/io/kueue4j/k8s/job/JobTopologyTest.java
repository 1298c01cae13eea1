package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Violation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The topology requests of jobs. */
class JobTopologyTest {
  private static final String PREFIX = "kueue.x-k8s.io/podset-";
  private static final JobWorkloads WORKLOADS = JobWorkloads.builder().build();

  private static PodTemplateSpec template(String... keysAndValues) {
    PodTemplateSpec template =
        Jobs.template("1").toBuilder().withNewMetadata().endMetadata().build();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      template.getMetadata().getAnnotations().put(PREFIX + keysAndValues[i], keysAndValues[i + 1]);
    }
    return template;
  }

  private static Job job(String... keysAndValues) {
    return Jobs.job().editSpec().withTemplate(template(keysAndValues)).endSpec().build();
  }

  private static JobSet.ReplicatedJob replicated(
      String name, int replicas, int parallelism, String... keysAndValues) {
    return new JobSet.ReplicatedJob(
        name, replicas, Jobs.jobTemplate(parallelism, template(keysAndValues)));
  }

  private static List<PodSet> podSets(HasMetadata job) {
    return WORKLOADS.convert(job).orElseThrow().workload().podSets();
  }

  private static ImmutableList<String> problems(HasMetadata job) {
    JobConversion conversion = WORKLOADS.convert(job);
    return conversion.match(
        converted -> ImmutableList.of(),
        notManaged -> ImmutableList.of(),
        invalid -> invalid.violations().stream()
            .map(Violation::toString)
            .collect(ImmutableList.toImmutableList()));
  }

  @Test
  void aJobCountsItsPodsThrough() {
    assertThat(podSets(job("required-topology", "rack")).get(0).topologyRequest())
        .isEqualTo(TopologyRequest.builder()
            .required("rack")
            .podIndexLabel("batch.kubernetes.io/job-completion-index")
            .build());
    TopologyRequest implied = podSets(job()).get(0).topologyRequest();
    assertThat(implied.isExplicit()).isFalse();
    assertThat(implied.podIndexLabel()).contains("batch.kubernetes.io/job-completion-index");
  }

  @Test
  void aJobSetCountsItsJobsThroughToo() {
    List<PodSet> podSets = podSets(Jobs.jobSet(
        replicated("slice", 3, 2, "slice-required-topology", "pool", "slice-size", "2")));
    assertThat(podSets.get(0).count()).isEqualTo(6);
    assertThat(podSets.get(0).topologyRequest())
        .isEqualTo(TopologyRequest.builder()
            .sliceTopology("pool")
            .sliceSize(2)
            .podIndexLabel("batch.kubernetes.io/job-completion-index")
            .subGroupIndexLabel("jobset.sigs.k8s.io/job-index")
            .subGroupCount(3)
            .build());
  }

  @Test
  void whatIsWrongIsSaidWithItsPlace() {
    assertThat(problems(
            job("required-topology", "rack", "slice-required-topology", "host", "slice-size", "4")))
        .containsExactly("Job team-a/train: spec.template.metadata.annotations[" + PREFIX
            + "slice-size]: \"4\"; expected an integer from 1 to the number of pods, 3");
    assertThat(problems(Jobs.jobSet(
            Jobs.replicated("a", 1, 1), replicated("b", 1, 1, "unconstrained-topology", "maybe"))))
        .containsExactly(
            "JobSet team-a/train: spec.replicatedJobs[1].template.spec.template.metadata"
                + ".annotations[" + PREFIX
                + "unconstrained-topology]: \"maybe\"; expected true or false");
  }

  @Test
  void aLeaderAndItsWorkersAreAGroup() {
    List<PodSet> podSets = podSets(Jobs.jobSet(
        replicated("leader", 1, 1, "required-topology", "rack", "group-name", "ring"),
        Jobs.replicated("other", 1, 2),
        replicated("workers", 1, 4, "required-topology", "rack", "group-name", "ring")));
    assertThat(podSets)
        .extracting(PodSet::group)
        .containsExactly(Optional.of("ring"), Optional.empty(), Optional.of("ring"));
  }

  @Test
  void aGroupHasTwoPodSets() {
    assertThat(problems(Jobs.jobSet(
            replicated("a", 1, 1, "required-topology", "rack", "group-name", "ring"),
            Jobs.replicated("b", 1, 1))))
        .containsExactly("JobSet team-a/train: spec.replicatedJobs[0].template.spec.template"
            + ".metadata.annotations[" + PREFIX
            + "group-name]: \"ring\" is the group of 1 pod sets; expected exactly 2: a leader and"
            + " its workers");
    String[] member = {"required-topology", "rack", "group-name", "ring"};
    assertThat(problems(Jobs.jobSet(
            replicated("a", 1, 1, member),
            replicated("b", 1, 1, member),
            replicated("c", 1, 1, member))))
        .hasSize(3)
        .allSatisfy(problem -> assertThat(problem).contains("is the group of 3 pod sets"));
  }

  @Test
  void oneMemberOfAGroupIsASinglePod() {
    String[] member = {"preferred-topology", "rack", "group-name", "ring"};
    assertThat(problems(Jobs.jobSet(replicated("a", 1, 2, member), replicated("b", 3, 1, member))))
        .hasSize(2)
        .allSatisfy(problem -> assertThat(problem)
            .endsWith("\"ring\" has pod sets of 2 and 3 pods; expected one of them to be a single"
                + " pod"));
    assertThat(problems(Jobs.jobSet(replicated("a", 1, 2, member), replicated("b", 1, 1, member))))
        .isEmpty();
  }

  @Test
  void theMembersOfAGroupAskForTheSame() {
    assertThat(problems(Jobs.jobSet(
            replicated("a", 1, 1, "required-topology", "rack", "group-name", "ring"),
            replicated("b", 1, 3, "preferred-topology", "rack", "group-name", "ring"))))
        .hasSize(2)
        .allSatisfy(problem ->
            assertThat(problem).contains("pod sets a and b of \"ring\" ask for different levels"));
    assertThat(problems(Jobs.jobSet(
            replicated("a", 1, 1, "required-topology", "rack", "group-name", "ring"),
            replicated("b", 1, 3, "required-topology", "block", "group-name", "ring"))))
        .hasSize(2);
  }

  /** Kueue accepts it, although there is no other pod set to place its pods with. */
  @Test
  void aJobOfOnePodSetMayNameAGroup() {
    assertThat(problems(job("required-topology", "rack", "group-name", "ring"))).isEmpty();
  }
}
