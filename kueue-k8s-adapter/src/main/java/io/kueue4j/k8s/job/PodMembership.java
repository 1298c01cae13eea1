package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

/**
 * What a pod that another object has made is of: a {@link PodGroup}, in place of its maker, which
 * is not admitted itself. Immutable.
 *
 * <p>Rules: J-11.
 *
 * @param group the name of the group
 * @param totalCount how many pods the group has
 * @param role the pod set that the pod is of
 * @param fastAdmission whether the group is there as soon as its first pod is: the others are made
 *     when that runs, and are equal
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
