package io.kueue4j.examples.controller.job;

import com.google.common.base.Joiner;
import com.google.common.collect.Lists;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.PodGroups;
import io.kueue4j.examples.controller.state.JobFacts;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobPodSet;
import java.util.List;

/**
 * Handles objects whose pods are admitted and not the objects themselves: adds the gate and the
 * labels of the queue to their templates, and groups to the pods that they have created.
 */
record ServingJobs(JobContext context, PodGroups groups, JobStopper stopper) implements JobStep {
  /** Performs the next action for such an object. */
  void reconcile(JobRecord record, JobFacts facts) {
    book().forget(record);
    JobConversion conversion = reader().convert(record.job());
    String problem = conversion.match(
        converted -> "",
        JobConversion.NotManaged::message,
        invalid -> Joiner.on("; ").join(invalid.violations()));
    if (!problem.isEmpty()) {
      record.become(JobState.UNMANAGED, problem);
      return;
    }
    record.become(JobState.UNMANAGED, "its pods are admitted, and not it");
    if (!facts.isSuspended()) {
      stopper.suspend(record);
      return;
    }
    HasMetadata marked = reader().editor().suspend(record.job());
    if (!templates(marked).equals(templates(record.job()))) {
      // Users who have to write the gate themselves do not write the labels that belong to it.
      writes().replace(record, marked);
      return;
    }
    for (Pod pod : groups.singles(record.key().namespace())) {
      reader()
          .kind(record.job())
          .membership(record.job(), pod)
          .ifPresent(membership -> writes().replacePod(record, membership.applyTo(pod)));
    }
    pods().of(record).stream()
        .map(LivePod::pod)
        .filter(pod -> isUnmarked(record.job(), pod))
        .forEach(pod -> replace(record, pod));
  }

  private List<PodTemplateSpec> templates(HasMetadata job) {
    return Lists.transform(reader().kind(job).podSets(job), JobPodSet::template);
  }

  /** {@return whether a pod was made with the gate, but before its template had the labels} */
  private boolean isUnmarked(HasMetadata job, Pod pod) {
    return reader().kind(job).membership(job, pod).isPresent()
        && reader().waits(pod)
        && !reader().namesQueue(pod)
        && !JobParts.isDeleted(pod);
  }

  /** A StatefulSet rolls nothing out before its present pods are ready, which this one never is. */
  private void replace(JobRecord record, Pod pod) {
    if (writes().deletePod(record, pod)) {
      String why = "Pod " + pod.getMetadata().getName() + " was made before the template had the"
          + " labels of the queue, and waits for nothing; it was deleted for another one";
      events().normal(record.job(), "PodReplaced", why);
    }
  }
}
