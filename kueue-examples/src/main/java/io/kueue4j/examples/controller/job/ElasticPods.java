package io.kueue4j.examples.controller.job;

import com.google.common.base.Strings;
import com.google.common.primitives.Ints;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The pods of a Job whose template has the scheduling gate of elastic jobs: each pod is created
 * with the gate, and waits until it is removed. So a running Job may create more pods than were
 * admitted.
 *
 * <p>Pure functions. Kueue: the controller {@code ElasticJobUngater}.
 */
public final class ElasticPods {
  /** The scheduling gate of pods that wait until their Job may have as many. */
  public static final String GATE = "kueue.x-k8s.io/elastic-job";

  private static final String INDEX = "batch.kubernetes.io/job-completion-index";

  private ElasticPods() {}

  /** {@return whether a job is a Job whose pods are all created with the gate} */
  public static boolean areGated(HasMetadata job) {
    return job instanceof Job batch
        && batch.getSpec() != null
        && batch.getSpec().getTemplate() != null
        && LivePod.hasGate(batch.getSpec().getTemplate().getSpec(), GATE);
  }

  /** {@return a copy of a Job that has {@code count} pods at a time} */
  public static Job withParallelism(Job job, int count) {
    return new JobBuilder(job).editSpec().withParallelism(count).endSpec().build();
  }

  private static boolean isGated(Pod pod) {
    return LivePod.hasGate(pod.getSpec(), GATE);
  }

  /**
   * {@return how many pods may run: those without the gate, including those that are being deleted}
   *
   * @param pods the pods of a Job that have not ended
   */
  public static int running(Collection<Pod> pods) {
    return Ints.checkedCast(pods.stream().filter(pod -> !isGated(pod)).count());
  }

  /**
   * {@return copies without the gate of the pods that may run now; those with low indexes and names
   * first}
   *
   * @param pods the pods of a Job that have not ended
   * @param admitted how many pods may run at a time
   */
  public static List<Pod> admitted(Collection<Pod> pods, int admitted) {
    return pods.stream()
        .filter(pod -> isGated(pod) && !JobParts.isDeleted(pod))
        .sorted(Comparator.comparingInt(ElasticPods::index)
            .thenComparing(pod -> Strings.nullToEmpty(pod.getMetadata().getName())))
        .limit(Math.max(0, admitted - running(pods)))
        .map(ElasticPods::ungated)
        .toList();
  }

  private static int index(Pod pod) {
    Integer index = Ints.tryParse(JobAnnotations.of(pod, INDEX));
    return index == null ? Integer.MAX_VALUE : index;
  }

  private static Pod ungated(Pod pod) {
    return new PodBuilder(pod)
        .editSpec()
        .removeMatchingFromSchedulingGates(gate -> GATE.equals(gate.getName()))
        .endSpec()
        .build();
  }
}
