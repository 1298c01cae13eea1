package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import org.junit.jupiter.api.Test;

/**
 * The behaviour of servers with JobSet's controller; a plain API server has neither its CRD nor its
 * webhook.
 */
interface JobSetContract {
  /** {@return the server} */
  Api api();

  /** {@return a JobSet of a controller other than JobSet's, which writes no status} */
  private static GenericKubernetesResource jobSet(String name) {
    return Trees.toObject(Trees.parse("""
            {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
             "metadata": {"name": "%s", "namespace": "default"},
             "spec": {"suspend": true, "managedBy": "example.com/other", "replicatedJobs": [
               {"name": "a", "template": {"spec": {"parallelism": 2, "completions": 2,
                 "template": {"spec": {"containers": [{"name": "main", "image": "x"}]}}}}}]}}
            """.formatted(name)), GenericKubernetesResource.class);
  }

  @Test
  default void templatesChangeInAJobSetThatIsOrGetsSuspended() {
    GenericKubernetesResource jobSet = api().create(jobSet("a"));
    assertThat(jobSet.<Object>get("spec", "replicatedJobs", 0, "replicas")).isEqualTo(1);

    GenericKubernetesResource running = api().replace(edited(jobSet, "x", false));
    assertThat(selector(running)).isEqualTo("x");
    assertThat(api().refusal(() -> api().replace(edited(running, "y", false))).message())
        .contains("JobSet.jobset.x-k8s.io \"a\" is invalid: spec.replicatedJobs");

    GenericKubernetesResource stopped = api().replace(edited(running, "z", true));
    assertThat(selector(stopped)).isEqualTo("z");
  }

  @Test
  default void theAffinityOfAJobSetIsImmutable() {
    GenericKubernetesResource jobSet = api().create(jobSet("b"));
    var tree = Trees.of(jobSet);
    Trees.child((ObjectNode) Trees.at(tree, "spec", "replicatedJobs").get(0), "template", "spec")
        .withObject(
            "/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution")
        .putArray("nodeSelectorTerms")
        .addObject()
        .putArray("matchExpressions")
        .addObject()
        .put("key", "pool")
        .put("operator", "Exists");
    assertThat(api()
            .refusal(() -> api().replace(Trees.toObject(tree, GenericKubernetesResource.class)))
            .message())
        .contains("JobSet.jobset.x-k8s.io \"b\" is invalid: spec.replicatedJobs");
  }

  private static GenericKubernetesResource edited(
      GenericKubernetesResource jobSet, String pool, boolean suspend) {
    var tree = Trees.of(jobSet);
    Trees.child(tree, "spec").put("suspend", suspend);
    var replicated = (ObjectNode) Trees.at(tree, "spec", "replicatedJobs").get(0);
    Trees.child(replicated, "template", "spec", "template", "spec", "nodeSelector")
        .put("pool", pool);
    return Trees.toObject(tree, GenericKubernetesResource.class);
  }

  private static String selector(HasMetadata jobSet) {
    return Trees.at(Trees.of(jobSet), "spec", "replicatedJobs")
        .get(0)
        .at("/template/spec/template/spec/nodeSelector/pool")
        .asText();
  }
}
