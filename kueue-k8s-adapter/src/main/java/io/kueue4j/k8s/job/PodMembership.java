package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

/**
 * The membership of a pod that another object has created in a {@link PodGroup}, which is admitted
 * in place of that object. Immutable.
 *
 * <p>Rules: J-11.
 *
 * @param group the name of the group
 * @param totalCount the number of pods in the group
 * @param role the pod set of the pod
 * @param fastAdmission whether the group is complete as soon as its first pod exists: the others
 *     are equal and are created when the first runs
 * @since 0.1.0
 */
public record PodMembership(String group, int totalCount, String role, boolean fastAdmission) {

  /** {@return a copy of a pod, not bound to a node yet, that waits for admission with its group} */
  public Pod applyTo(Pod pod) {
    Pod member = PodGroup.member(pod, group, totalCount, role);
    return fastAdmission
        ? new PodBuilder(member)
            .withMetadata(new ObjectMetaBuilder(member.getMetadata())
                .addToAnnotations(MetadataKeys.POD_GROUP_FAST_ADMISSION, "true")
                .build())
            .build()
        : member;
  }
}
