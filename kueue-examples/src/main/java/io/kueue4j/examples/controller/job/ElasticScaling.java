package io.kueue4j.examples.controller.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import com.google.common.collect.Streams;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.JobWrites.Result;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.k8s.job.JobSync;
import io.kueue4j.k8s.job.SliceChange;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Scales running elastic jobs in place.
 *
 * <p>A job that is to have more pods runs on, while another elastic slice, a workload of the new
 * size, waits to replace the present one. Its pods are created with a scheduling gate, which is
 * removed from as many as are admitted and recorded. A job that is to have fewer pods releases
 * quota when the other pods are gone.
 *
 * <p>All state is in the cluster: the number of pods that the job is to have, the recorded
 * admission, and the gates. So any controller continues where another one has ended.
 *
 * <p>Rules: E-1, E-2, E-8.
 */
record ElasticScaling(JobContext context, JobStarter starter) implements JobStep {
  private static final String ANNOTATION = "kueue.x-k8s.io/elastic-job";
  private static final String GROWN = "Grown";
  private static final String CANNOT_GROW = "CannotGrow";

  // ----- restoring

  /**
   * {@return what an elastic job holds by its record, if the job is to have other numbers of pods
   * than were admitted; empty if it is not, or differs in anything else}
   *
   * @param read the workload of the job as it is now
   */
  Optional<Workload> held(JobRecord record, RecordedAdmission recorded, Workload read) {
    Workload sized = recorded.sized(read);
    if (!read.elastic() || !recorded.isOf(sized)) {
      return Optional.empty();
    }
    // Users may be able to write the numbers in the spec of a Workload, but not the admission. The
    // controller writes smaller ones when as few pods run.
    boolean areTooSmall = ElasticPods.running(pods(record)) > count(sized);
    Map<String, PodSetAssignment> assignments =
        Maps.uniqueIndex(recorded.admission().podSetAssignments(), PodSetAssignment::name);
    Workload held = RecordedAdmission.map(
        recorded.named(sized),
        podSet -> Optional.ofNullable(assignments.get(podSet.name()))
            .map(assignment -> PodSet.builder()
                .from(podSet)
                .count(
                    areTooSmall ? assignment.count() : Math.min(podSet.count(), assignment.count()))
                .build())
            .orElse(podSet));
    return recorded.isOf(read) && held.podSets().equals(read.podSets())
        ? Optional.empty()
        : Optional.of(held);
  }

  /** {@return the form of a job with the pods of a workload, which may be fewer or more} */
  JobSync.Form form(HasMetadata original, Workload workload) {
    if (!(original instanceof Job job) || !workload.elastic()) {
      return reader().sync().form(original);
    }
    int count = count(workload);
    Job sized = ElasticPods.withParallelism(job, count);
    Integer completions = sized.getSpec().getCompletions();
    if (completions != null) {
      // Those of an Indexed Job change with its parallelism.
      sized.getSpec().setCompletions(Math.max(completions, count));
    }
    return reader().sync().form(sized);
  }

  private static int count(Workload workload) {
    return workload.podSets().stream().mapToInt(PodSet::count).sum();
  }

  // ----- scaling

  /**
   * Scales a running job.
   *
   * @return whether nothing but its number of pods differs from its admission, and is being dealt
   *     with
   */
  boolean scale(JobRecord record, RecordedAdmission recorded) {
    Optional<Workload> current = record.workload().filter(Workload::elastic);
    if (current.isEmpty()) {
      withdraw(record);
      return false;
    }
    HasMetadata original = context.original(record, recorded);
    Optional<SliceChange> change = context
        .workload(record, original)
        .filter(wanted -> isScaled(current.get(), wanted))
        .map(wanted -> SliceChange.between(current.get(), true, wanted));
    if (change.filter(found -> found.kind() == SliceChange.Kind.REPLACE).isPresent()) {
      grow(record, recorded, original, change.get().workload());
      return true;
    }
    withdraw(record);
    return change.filter(found -> found.kind() == SliceChange.Kind.UPDATE).isPresent()
        && shrink(record, recorded, original, change.get().workload());
  }

  private static boolean isScaled(Workload held, Workload wanted) {
    return wanted.elastic()
        && held.podSets().size() == wanted.podSets().size()
        && Streams.zip(
                held.podSets().stream(), wanted.podSets().stream(), ElasticScaling::areSamePods)
            .allMatch(Boolean::booleanValue);
  }

  private static boolean areSamePods(PodSet held, PodSet wanted) {
    return held.name().equals(wanted.name()) && held.requests().equals(wanted.requests());
  }

  /** Queues a larger elastic slice, or changes the one that waits. */
  private void grow(
      JobRecord record, RecordedAdmission recorded, HasMetadata original, Workload slice) {
    Optional<String> obstacle = obstacle(record, recorded, slice);
    if (obstacle.isPresent()) {
      withdraw(record);
      context.stop(
          record,
          "JobChanged",
          "The job is to have " + count(slice) + " pods, had "
              + count(record.workload().orElseThrow()) + ", and cannot grow while it runs: "
              + obstacle.get());
      return;
    }
    Optional<Workload> proposed = records().slices().proposed(record).or(record::growth);
    if (proposed.filter(waiting -> !waiting.active()).isPresent()) {
      book().forgetGrowth(record);
      cannotGrow(
          record, "Workload " + proposed.get().name() + " is not active, by its field spec.active");
      return;
    }
    Workload growth = Workload.builder()
        .from(slice)
        .name(proposed.map(Workload::name).orElse(slice.name()))
        .queueName(record.workload().orElseThrow().queueName())
        .creationTime(record.growth().or(() -> proposed).flatMap(Workload::creationTime))
        .build();
    Result result = records().slices().propose(record, recorded, original, growth);
    if (result == Result.REFUSED) {
      cannotGrow(
          record,
          "Workload " + growth.name()
              + " is refused by the API server, or another one has its name");
    } else if (result == Result.DONE) {
      book().grow(record, growth).ifPresentOrElse(problem -> cannotGrow(record, problem), () -> {
        book().reclaim(growth.id(), reader().reclaimablePods(record.job(), growth));
        record.setGrowthProblem("");
        records().slices().settle(record);
      });
    }
  }

  private void cannotGrow(JobRecord record, String problem) {
    if (record.setGrowthProblem(problem)) {
      events().warning(record.job(), CANNOT_GROW, "Runs on with the pods that it has: " + problem);
    }
  }

  /** {@return why a job has to start over to get more pods, empty if it has not} */
  private Optional<String> obstacle(JobRecord record, RecordedAdmission recorded, Workload slice) {
    if (!isGated(record.job())) {
      return Optional.of(missingGate());
    }
    if (record.id().equals(Optional.of(slice.id()))) {
      return Optional.of("its metadata.generation does not distinguish its Workloads");
    }
    if (recorded.admission().podSetAssignments().stream()
        .anyMatch(assignment -> assignment.topologyAssignment().isPresent())) {
      return Optional.of("its pods were given places on nodes");
    }
    return configuration()
        .clusterQueue(recorded.admission().clusterQueue())
        .filter(queue -> !queue.admissionChecks().isEmpty())
        .map(queue -> "ClusterQueue " + queue.name() + " has admission checks");
  }

  private static String missingGate() {
    return "its pod template does not have the scheduling gate " + ElasticPods.GATE
        + ", so its new pods would not wait for quota";
  }

  /** Warns about a job that was started, is declared elastic, and cannot grow while it runs. */
  static void warn(JobEventRecorder events, HasMetadata job, Workload workload) {
    if (job instanceof Job && workload.elastic() && !isGated(job)) {
      events.warning(
          job,
          CANNOT_GROW,
          "Has the annotation " + ANNOTATION + ", but starts over when it gets more pods: "
              + missingGate());
    }
  }

  private static boolean isGated(HasMetadata job) {
    return job instanceof Job batch && ElasticPods.areGated(batch);
  }

  /** Removes the elastic slice that waits. */
  void withdraw(JobRecord record) {
    book().forgetGrowth(record);
    record.setGrowthProblem("");
    records().slices().settle(record);
  }

  /**
   * Releases quota when the pods are gone that the job is not to have any more: first in its
   * record, so that no controller restores it, then in the engine.
   *
   * @return whether the job may run on
   */
  private boolean shrink(
      JobRecord record, RecordedAdmission recorded, HasMetadata original, Workload wanted) {
    if (ElasticPods.running(pods(record)) > count(wanted)) {
      return true;
    }
    SortedMap<String, Integer> ended = reclaimable(record.job(), wanted);
    if (!recorded.isOf(wanted)) {
      RecordedAdmission smaller = recorded.withPods(wanted, ended);
      if (starter.renew(record, smaller) != Result.DONE) {
        return true;
      }
      records().read(record);
    }
    if (book().update(record, wanted).isPresent()
        || !book().reclaim(wanted.id(), ended)) {
      return false;
    }
    record.setForm(form(original, wanted));
    return true;
  }

  /**
   * Records the elastic slice that has replaced the workload of a job in the engine.
   *
   * @param recorded the recorded admission, which is the admission of the former workload
   */
  Result record(JobRecord record, RecordedAdmission recorded) {
    Workload grown = record.workload().orElseThrow();
    HasMetadata original = context.original(record, recorded);
    Result proposed = records().slices().propose(record, recorded, original, grown);
    if (proposed != Result.DONE) {
      return proposed;
    }
    RecordedAdmission larger =
        recorded.withPods(grown, book().reclaimablePods(grown.id()));
    Result result = starter.renew(record, larger);
    if (result == Result.DONE) {
      book().engine().lifecycle().admissionRecorded(grown.id());
      record.forgetReplaced();
      record.setForm(form(original, grown));
      events()
          .normal(
              record.job(),
              GROWN,
              "Admitted by clusterQueue " + recorded.admission().clusterQueue() + " with "
                  + count(grown) + " pods instead of " + count(recorded.workload()));
    }
    return result;
  }

  // ----- pods

  private ImmutableList<Pod> pods(JobRecord record) {
    return pods().of(record).stream().map(LivePod::pod).collect(ImmutableList.toImmutableList());
  }

  private static int admitted(Workload workload, Admission admission) {
    int assigned =
        admission.podSetAssignments().stream().mapToInt(PodSetAssignment::count).sum();
    return Math.min(count(workload), assigned);
  }

  /** Removes the gate of as many pods as were admitted; call it when the admission is recorded. */
  void release(JobRecord record, Workload workload, Admission admission) {
    if (isGated(record.job())) {
      int reclaimed = book().reclaimablePods(workload.id()).values().stream()
          .mapToInt(Integer::intValue)
          .sum();
      ElasticPods.admitted(pods(record), admitted(workload, admission) - reclaimed)
          .forEach(pod -> writes().replacePod(record, pod));
    }
  }

  /** {@return the pods of a workload that have succeeded, although its job may have grown} */
  SortedMap<String, Integer> reclaimable(HasMetadata job, Workload workload) {
    HasMetadata sized = job instanceof Job batch && workload.elastic()
        ? ElasticPods.withParallelism(batch, count(workload))
        : job;
    return reader().reclaimablePods(sized, workload);
  }

  /** {@return what a running job waits for, in sentences} */
  static ImmutableList<String> messages(JobRecord record) {
    if (!record.growthProblem().isEmpty()) {
      return ImmutableList.of("cannot grow: " + record.growthProblem());
    }
    return record
        .growth()
        .map(growth -> ImmutableList.of("waits for quota to run " + count(growth)
            + " pods instead of " + count(record.workload().orElseThrow())))
        .orElse(ImmutableList.of());
  }
}
