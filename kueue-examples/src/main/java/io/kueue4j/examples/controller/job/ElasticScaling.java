package io.kueue4j.examples.controller.job;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
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
import io.kueue4j.k8s.job.SliceChange.Kind;
import java.util.Collection;
import java.util.List;
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
  private static final String NO_GATE = "its pod template does not have the scheduling gate "
      + ElasticPods.GATE + ", so its new pods would not wait for quota";
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
    ImmutableMap<String, Integer> admitted = recorded.admission().podSetAssignments().stream()
        .collect(ImmutableMap.toImmutableMap(PodSetAssignment::name, PodSetAssignment::count));
    Workload held = RecordedAdmission.map(recorded.named(sized), podSet -> {
      int most = admitted.getOrDefault(podSet.name(), podSet.count());
      int count = areTooSmall ? most : Math.min(podSet.count(), most);
      return PodSet.builder().from(podSet).count(count).build();
    });
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
    return sum(Lists.transform(workload.podSets(), PodSet::count));
  }

  private static int sum(Collection<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).sum();
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
        .workload(record, reader().convert(original))
        .filter(wanted -> isScaled(current.get(), wanted))
        .map(wanted -> SliceChange.between(current.get(), true, wanted));
    Kind kind = change.map(SliceChange::kind).orElse(Kind.NONE);
    if (kind == Kind.REPLACE) {
      grow(record, recorded, original, change.get().workload());
      return true;
    }
    withdraw(record);
    return kind == Kind.UPDATE
        && shrink(record, recorded, original, change.get().workload());
  }

  /**
   * {@return whether each pod of an elastic job requests as much as before, however many there are}
   */
  private static boolean isScaled(Workload held, Workload wanted) {
    return wanted.elastic()
        && Lists.transform(held.podSets(), PodSet::requests)
            .equals(Lists.transform(wanted.podSets(), PodSet::requests));
  }

  /** Queues a larger elastic slice, or changes the one that waits. */
  private void grow(
      JobRecord record, RecordedAdmission recorded, HasMetadata original, Workload slice) {
    Workload current = record.workload().orElseThrow();
    Optional<String> obstacle = obstacle(record, recorded, slice);
    if (obstacle.isPresent()) {
      withdraw(record);
      String why = "The job is to have " + count(slice) + " pods, had " + count(current)
          + ", and cannot grow while it runs: " + obstacle.get();
      context.stop(record, "JobChanged", why);
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
        .queueName(current.queueName())
        .creationTime(record.growth().or(() -> proposed).flatMap(Workload::creationTime))
        .build();
    Result result = records().slices().propose(record, recorded, original, growth);
    if (result == Result.REFUSED) {
      String refused = " is refused by the API server, or another one has its name";
      cannotGrow(record, "Workload " + growth.name() + refused);
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
    if (!ElasticPods.areGated(record.job())) {
      return Optional.of(NO_GATE);
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

  /** Warns about a job that was started, is declared elastic, and cannot grow while it runs. */
  static void warn(JobEventRecorder events, HasMetadata job, Workload workload) {
    if (job instanceof Job && workload.elastic() && !ElasticPods.areGated(job)) {
      String why =
          "Has the annotation kueue.x-k8s.io/elastic-job, but starts over when it gets more"
              + " pods: " + NO_GATE;
      events.warning(job, CANNOT_GROW, why);
    }
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
    if (book().update(record, wanted).isPresent() || !book().reclaim(wanted.id(), ended)) {
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
    Result result = records().slices().propose(record, recorded, original, grown);
    if (result == Result.DONE) {
      result = starter.renew(record, recorded.withPods(grown, book().reclaimablePods(grown.id())));
    }
    if (result == Result.DONE) {
      book().engine().lifecycle().admissionRecorded(grown.id());
      record.forgetReplaced();
      record.setForm(form(original, grown));
      String message = "Admitted by clusterQueue " + recorded.admission().clusterQueue() + " with "
          + count(grown) + " pods instead of " + count(recorded.workload());
      events().normal(record.job(), "Grown", message);
    }
    return result;
  }

  // ----- pods

  private List<Pod> pods(JobRecord record) {
    return pods().of(record).stream().map(LivePod::pod).toList();
  }

  /** Removes the gate of as many pods as were admitted; call it when the admission is recorded. */
  void release(JobRecord record, Admission admission) {
    if (ElasticPods.areGated(record.job())) {
      Workload workload = record.workload().orElseThrow();
      int assigned = sum(Lists.transform(admission.podSetAssignments(), PodSetAssignment::count));
      int ended = sum(book().reclaimablePods(workload.id()).values());
      ElasticPods.admitted(pods(record), Math.min(count(workload), assigned) - ended)
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

  /** {@return what a running job waits for, in a sentence; empty if for nothing} */
  static Optional<String> message(JobRecord record) {
    return record.growthProblem().isEmpty()
        ? record
            .growth()
            .map(growth -> "waits for quota to run " + count(growth) + " pods instead of "
                + count(record.workload().orElseThrow()))
        : Optional.of("cannot grow: " + record.growthProblem());
  }
}
