package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** StatefulSets: all pods form one group, in the pod set {@code main}. Rules: J-11. */
final class StatefulSetKind extends ServingKind {
  private static final RawPath TEMPLATE = RawPath.of("spec.template");
  private static final String POD_INDEX = "apps.kubernetes.io/pod-index";

  StatefulSetKind() {
    super("apps", "StatefulSet", "statefulset");
  }

  @Override
  List<PlacedPodSet> read(JobFields fields) {
    return ImmutableList.of(new PlacedPodSet(
        JobPodSet.of("main", TEMPLATE.text(), fields.template(TEMPLATE), replicas(fields))
            .withIndex(JobPodSet.Index.of(POD_INDEX)),
        InjectionPlace.template(TEMPLATE)));
  }

  /**
   * {@return the membership with fast admission, because pods are created one after the other and
   * are never all waiting}
   */
  @Override
  public Optional<JobKind.Membership> membership(GenericKubernetesResource job, Pod pod) {
    boolean isOwn = JobMetadata.controller(pod)
        .filter(owner -> owner.getKind().equals(kind())
            && owner.getName().equals(JobMetadata.name(job))
            && Objects.equals(owner.getUid(), JobMetadata.metadata(job).getUid()))
        .isPresent();
    return isOwn
        ? Optional.of(new JobKind.Membership(
            groupName(job, JobMetadata.name(job)), replicas(new JobFields(job)), "main", true))
        : Optional.empty();
  }

  @Override
  ImmutableMap<String, String> marks(GenericKubernetesResource job, JobPodSet podSet) {
    return ImmutableMap.of(MetadataKeys.POD_GROUP_SERVING, "true");
  }
}
