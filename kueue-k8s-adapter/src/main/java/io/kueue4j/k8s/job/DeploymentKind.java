package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Objects;

/**
 * Deployments: they have no workload; each pod is admitted separately with the queue and the
 * priority of the Deployment. Rules: J-12.
 */
final class DeploymentKind extends ServingKind {
  private static final RawPath TEMPLATE = RawPath.of("spec.template");

  DeploymentKind() {
    super("apps", "Deployment", "deployment");
  }

  @Override
  List<PlacedPodSet> read(JobFields fields) {
    return ImmutableList.of(new PlacedPodSet(
        JobPodSet.of("main", TEMPLATE.text(), fields.template(TEMPLATE), replicas(fields)),
        InjectionPlace.template(TEMPLATE)));
  }

  /** {@return the pods as if there were no ReplicaSet in between, named by a number} */
  @Override
  public List<Pod> parts(GenericKubernetesResource job, String name) {
    PodTemplateSpec template = podSets(withSuspend(job, true)).get(0).template();
    ObjectMeta own = JobMetadata.metadata(job);
    ObjectMeta metadata = Objects.requireNonNullElseGet(template.getMetadata(), ObjectMeta::new);
    return numbered(
        replicas(new JobFields(job)),
        index -> new PodBuilder()
            .withMetadata(new ObjectMetaBuilder(metadata)
                .withNamespace(own.getNamespace())
                .withName(name + "-" + index)
                .withCreationTimestamp(own.getCreationTimestamp())
                .build())
            .withSpec(template.getSpec())
            .build());
  }
}
