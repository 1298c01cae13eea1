package io.kueue4j.examples.controller.job;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.PodGroups;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.WorkloadPods;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names pods in the Workload of their job that do not name the job any more, so that a later
 * controller knows them, whatever they look like by then.
 */
record PodNames(JobContext context) implements JobStep {
  /** The annotation of a Workload with the uids of the pods. */
  private static final String PODS = "kueue4j.io/left-pods";

  private static final int BYTES_OF_UID = 37;

  /** Names the pods, as many as it can, and keeps the Workload from being deleted. */
  void write(JobRecord record, ObjectKey workload, List<LivePod> live) {
    records().object(workload).ifPresent(object -> {
      int others =
          WorkloadObjects.annotationBytes(WorkloadObjects.withAnnotation(object, PODS, ""));
      String uids = live.stream()
          .map(LivePod::pod)
          .filter(pod -> !JobParts.isDeleted(pod))
          .map(JobParts::uid)
          .sorted()
          .limit(Math.max(0, WorkloadObjects.MAX_ANNOTATION_BYTES - others) / BYTES_OF_UID)
          .collect(Collectors.joining(","));
      GenericKubernetesResource named = WorkloadObjects.withAnnotation(object, PODS, uids);
      if (!uids.isEmpty()) {
        Result unused =
            writes().replaceIfChanged(record, object, WorkloadObjects.withFinalizer(named));
      }
    });
  }

  /** Makes the pods that a Workload names belong to its job again. */
  void restore(GenericKubernetesResource object) {
    ImmutableSet<String> uids = Splitter.on(',')
        .omitEmptyStrings()
        .splitToStream(JobAnnotations.of(object, PODS))
        .map(uid -> WorkloadPods.owner(ObjectKey.of(object).namespace(), uid))
        .collect(ImmutableSet.toImmutableSet());
    ImmutableSet<String> owners = owners(object);
    pods().of(uids).forEach(pod -> owners.forEach(owner -> pods().join(pod.key(), owner)));
  }

  /** {@return what the pods of the job of a Workload belong to} */
  static ImmutableSet<String> owners(GenericKubernetesResource object) {
    ObjectKey key = ObjectKey.of(object);
    return Stream.concat(
            WorkloadObjects.jobUids(object).stream()
                .map(uid -> WorkloadPods.owner(key.namespace(), uid)),
            Stream.of(PodGroups.key(key.namespace(), key.name()).toString()))
        .collect(ImmutableSet.toImmutableSet());
  }
}
