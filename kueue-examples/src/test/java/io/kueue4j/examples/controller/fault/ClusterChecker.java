package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.JobSimulator;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Checks every write to a cluster, and reports violations.
 *
 * <p>It uses only the writes: the usage of jobs is computed from their specs, the counted usage
 * from their Workloads, and the actual usage from pods.
 */
final class ClusterChecker {
  private final StrictCluster cluster;
  private final InstantSource clock;
  private final Predicate<JobView> isPreempted;
  private final Predicate<String> isController;
  private final Map<String, ObjectNode> originals = new HashMap<>();
  private final Map<String, JobView> lastAdmitted = new HashMap<>();
  private final Set<String> excused = new HashSet<>();
  private final Set<String> unfenced = new HashSet<>();
  private final Map<ObjectKey, Quotas> quotas = new TreeMap<>();
  private final List<OldQuotas> oldQuotas = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private int starts;
  private int stops;

  /**
   * Watches a cluster from now on.
   *
   * @param isPreempted whether the controller may give the quota of a job to others before its pods
   *     are gone
   * @param isController whether an actor is a controller, and not a user or the cluster itself
   */
  ClusterChecker(
      StrictCluster cluster,
      InstantSource clock,
      Predicate<JobView> isPreempted,
      Predicate<String> isController) {
    this.cluster = cluster;
    this.isPreempted = isPreempted;
    this.clock = clock;
    this.isController = isController;
    cluster.watch(this::check);
  }

  List<String> violations() {
    return violations;
  }

  int starts() {
    return starts;
  }

  int stops() {
    return stops;
  }

  /** What {@code actor} starts from now on cannot be known when deciding: it is not charged. */
  void excuse(String actor) {
    unfenced.add(actor);
  }

  /** The previous quota of a queue, and until when the controller may have used it. */
  private record OldQuotas(ObjectKey queue, Quotas quotas, Instant until) {}

  /** The controller has received all changes of queues: it uses no older ones from now on. */
  void quotasAreKnown() {
    oldQuotas.replaceAll(old -> old.until().equals(Instant.MAX)
        ? new OldQuotas(old.queue(), old.quotas(), clock.instant())
        : old);
  }

  private void check(ApiWrite write) {
    if (write.key().kind().equals("ClusterQueue")) {
      Quotas now = Quotas.of(write.object());
      Quotas before = quotas.put(write.key(), now);
      if (before != null) {
        oldQuotas.add(new OldQuotas(write.key(), before, Instant.MAX));
      }
    } else if (JobView.isJob(write.key())) {
      checkJob(write);
    } else if (write.key().kind().equals("Workload")) {
      checkWorkload(write);
    }
  }

  /** A write of a Workload may begin and end the admission of a job. */
  private void checkWorkload(ApiWrite write) {
    String uid = JobView.owner(write.object());
    Optional<ObjectNode> job =
        jobTrees().filter(tree -> tree.at("/metadata/uid").asText().equals(uid)).findFirst();
    if (job.isEmpty() || !isController.test(write.actor())) {
      return;
    }
    JobView before = JobView.of(job.get(), write.before());
    JobView now = JobView.of(job.get(), write.after());
    if (before.isRecorded() || now.isRecorded()) {
      checkWritten(write, before, now);
    }
  }

  private Stream<ObjectNode> jobTrees() {
    return Stream.of("Job", "JobSet").flatMap(kind -> cluster.trees(kind).stream());
  }

  /** {@return a job with its admission} */
  private JobView view(ObjectNode job) {
    return JobView.of(job, cluster);
  }

  /** {@return whether a job is a part of a job that is gone} */
  private boolean isLeft(ObjectNode job) {
    String owner = JobView.owner(job);
    return new JobView(job).isChild()
        && jobTrees().noneMatch(tree -> tree.at("/metadata/uid").asText().equals(owner));
  }

  private void checkJob(ApiWrite write) {
    ObjectNode after = write.after();
    if (after == null) {
      excused.remove(write.uid());
      lastAdmitted.remove(write.uid());
      return;
    }
    JobView now = view(after);
    if (!isController.test(write.actor())) {
      rememberOriginal(write, now);
      return;
    }
    if (isLeft(after) && after.at("/spec/suspend").asBoolean()) {
      // It would create the pods again that have to stop.
      return;
    }
    ObjectNode old = write.before();
    if (old == null || now.isChild() || !now.isManaged()) {
      fail(write, "a controller wrote what is none of its business");
      return;
    }
    if (write.verb() == ApiWrite.Verb.REPLACE) {
      checkWritten(write, view(old), now);
    }
  }

  /** The template specified by the user; parts that users do not change are as before. */
  private void rememberOriginal(ApiWrite write, JobView now) {
    if (write.before() == null) {
      originals.put(now.uid(), now.tree());
    }
  }

  private void checkWritten(ApiWrite write, JobView before, JobView now) {
    boolean runs = !now.isSuspended();
    boolean started = runs && before.isSuspended();
    if (started) {
      starts++;
      if (now.hasEnded() || now.isDeleting()) {
        fail(write, "a job was started that has ended or is being deleted");
      }
    }
    if (now.isSuspended() && !before.isSuspended()) {
      stops++;
    }
    if (runs && !now.isRecorded()) {
      fail(write, "a job runs, by a controller's write, that has no recorded admission");
    }
    if (runs
        && !before.isSuspended()
        && before.isRecorded()
        && !before.admission().equals(now.admission())) {
      fail(write, "a job that runs was admitted again");
    }
    if (now.isRecorded() && before.isRecorded() && started && before.isStopping()) {
      fail(write, "a job was started that is being stopped");
    }
    if (started) {
      checkSelectors(write, now);
    }
    if (now.isRecorded() && !before.isRecorded()) {
      lastAdmitted.put(now.uid(), now);
      if (unfenced.contains(write.actor())) {
        excused.add(now.uid());
      }
      checkQuotas(write, now);
    }
    if (!now.isRecorded() && before.isRecorded()) {
      if (livePods(now.uid()) > 0) {
        fail(write, "quota was given back while pods run");
      }
      excused.remove(now.uid());
    }
    if (now.isSuspended() && !now.isRecorded()) {
      checkRestored(write, now);
    }
  }

  private void checkSelectors(ApiWrite write, JobView now) {
    JobView original = original(now);
    for (int i = 0; i < now.parts().size(); i++) {
      JobView.Part part = now.parts().get(i);
      if (part.count() != now.admittedCount(part.name())) {
        fail(
            write,
            "the job was started with %d pods, admitted were %d"
                .formatted(part.count(), now.admittedCount(part.name())));
      }
      Map<String, String> expected = selector(original.parts().get(i).template());
      expected.put(RandomCluster.POOL, now.flavor(part.name()));
      if (!selector(part.template()).equals(expected)) {
        fail(
            write,
            "the job was started with node selector " + selector(part.template()) + ", expected "
                + expected);
      }
    }
  }

  private static Map<String, String> selector(JsonNode template) {
    Map<String, String> selector = new TreeMap<>();
    template
        .at("/spec/nodeSelector")
        .properties()
        .forEach(label -> selector.put(label.getKey(), label.getValue().asText()));
    return selector;
  }

  private void checkRestored(ApiWrite write, JobView now) {
    JobView original = original(now);
    for (int i = 0; i < now.parts().size(); i++) {
      JsonNode wanted = original.parts().get(i).template();
      JsonNode given = now.parts().get(i).template();
      if (!Trees.same(wanted, given)) {
        fail(write, "the template is " + given + ", was " + wanted);
      }
    }
  }

  private JobView original(JobView job) {
    return new JobView(Objects.requireNonNull(originals.get(job.uid()), job.uid()));
  }

  /**
   * The usage of each flavor in a ClusterQueue: by records, and by pods whose record was removed.
   */
  private Map<String, Map<String, Long>> usage() {
    return usage(job -> true);
  }

  private Map<String, Map<String, Long>> usage(Predicate<JobView> counts) {
    Map<String, Map<String, Long>> usage = new LinkedHashMap<>();
    for (JobView job : jobs()) {
      if (!counts.test(job)) {
        continue;
      }
      if (job.isRecorded() && !job.hasEnded()) {
        add(usage, job.clusterQueue(), job.usageMillis());
      } else if (!job.isRecorded()
          && !job.hasEnded()
          && lastAdmitted.containsKey(job.uid())
          && livePods(job.uid()) > 0) {
        JobView admitted = Objects.requireNonNull(lastAdmitted.get(job.uid()));
        add(usage, admitted.clusterQueue(), admitted.usageMillis());
      }
    }
    return usage;
  }

  private static void add(
      Map<String, Map<String, Long>> usage, String queue, Map<String, Long> amounts) {
    Map<String, Long> ofQueue = usage.computeIfAbsent(queue, name -> new TreeMap<>());
    amounts.forEach((flavor, millis) -> ofQueue.merge(flavor, millis, Long::sum));
  }

  /** Usage above the present quotas may be older than these; it must not increase. */
  private void checkQuotas(ApiWrite write, JobView admitted) {
    if (!excused.isEmpty()) {
      return;
    }
    String queue = admitted.clusterQueue();
    Map<String, Map<String, Long>> usage = usage(isPreempted.negate());
    // It was decided then, and may have been written later.
    Instant time = admitted.quotaReservedTime();
    Quotas own = since(time, queue);
    admitted.usageMillis().keySet().forEach(flavor -> {
      long millis = usage.getOrDefault(queue, Map.of()).getOrDefault(flavor, 0L);
      if (millis > own.quota(flavor).limit(own.cohort())) {
        fail(write, "%s uses %d of %s, more than %s".formatted(queue, millis, flavor, own));
      }
      long ofAll = inCohort(usage, own.cohort(), flavor);
      if (!own.cohort().isEmpty() && ofAll > ofCohort(time, own.cohort(), flavor)) {
        fail(
            write,
            "the cohort uses %d of %s, more than %d"
                .formatted(ofAll, flavor, ofCohort(time, own.cohort(), flavor)));
      }
    });
  }

  /** The greatest quotas of a queue, real or assumed, at or after a time. */
  private Quotas since(Instant time, String queue) {
    ObjectKey key = new ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", queue);
    Quotas greatest = Objects.requireNonNull(quotas.get(key), queue);
    for (OldQuotas old : oldQuotas) {
      if (old.queue().equals(key) && !old.until().isBefore(time)) {
        greatest = greatest.max(old.quotas());
      }
    }
    return greatest;
  }

  private Quotas allowed(String queue) {
    return since(Instant.MAX, queue);
  }

  private long ofCohort(Instant time, String cohort, String flavor) {
    return quotas.keySet().stream()
        .map(key -> since(time, key.name()))
        .filter(queue -> queue.cohort().equals(cohort))
        .mapToLong(queue -> queue.quota(flavor).nominal())
        .sum();
  }

  private long inCohort(Map<String, Map<String, Long>> usage, String cohort, String flavor) {
    return usage.entrySet().stream()
        .filter(entry -> allowed(entry.getKey()).cohort().equals(cohort))
        .mapToLong(entry -> entry.getValue().getOrDefault(flavor, 0L))
        .sum();
  }

  /** Reports violations that must not exist when all actors are up to date and idle. */
  void checkQuiet() {
    Map<String, Map<String, Long>> usage = usage();
    Map<String, List<JobView>> waiting = new TreeMap<>();
    for (JobView job : jobs()) {
      if (!job.isManaged() || job.hasEnded() || job.isDeleting()) {
        continue;
      }
      String state = "%s (%s)".formatted(job.key().name(), job.tree());
      if (job.isRecorded() && job.isSuspended()) {
        violations.add("at rest, a job is admitted and does not run: " + state);
      } else if (!job.isRecorded() && !job.isSuspended()) {
        violations.add("at rest, a job runs that was not admitted: " + state);
      } else if (!job.isRecorded()) {
        String queue = clusterQueue(job);
        if (!queue.isEmpty()) {
          waiting.computeIfAbsent(queue, name -> new ArrayList<>()).add(job);
        }
      } else if (livePods(job.uid())
          < job.parts().stream().mapToLong(JobView.Part::count).sum()) {
        violations.add("at rest, a job that was admitted has not all its pods: " + state);
      }
    }
    waiting.keySet().forEach(queue -> checkWaiting(queue, waiting, usage));
  }

  private void checkWaiting(
      String queue, Map<String, List<JobView>> waiting, Map<String, Map<String, Long>> usage) {
    List<JobView> jobs = Objects.requireNonNull(waiting.get(queue));
    Quotas own = allowed(queue);
    if (hasStrictNeighbour(queue, own, waiting) || mayBePassedOver(own, jobs)) {
      return;
    }
    List<JobView> fitting = jobs.stream()
        .filter(job -> own.byFlavor().keySet().stream()
            .anyMatch(flavor -> fits(job, queue, own, flavor, usage)))
        .toList();
    // In a strict queue a job that does not fit blocks the others.
    if (own.isStrict() ? fitting.size() == jobs.size() : !fitting.isEmpty()) {
      violations.add("at rest, jobs wait that fit: "
          + fitting.stream()
              .map(job -> job.key().name() + " " + job.totalCpuMillis())
              .toList() + " in " + queue + ", " + own + ", used " + usage);
    }
  }

  /**
   * Where there are several flavors, jobs that fit may wait, as they do in Kueue: one that lost the
   * first flavor to another in the same cycle goes on with the next and is put aside after that
   * (rules F-24, U-12); one with several pod sets may try flavors of which always another one fits,
   * and keeps those behind it waiting.
   */
  private static boolean mayBePassedOver(Quotas own, List<JobView> jobs) {
    return own.byFlavor().size() > 1
        && (!own.cohort().isEmpty() || jobs.stream().anyMatch(job -> job.parts().size() > 1));
  }

  /** The head of a strict queue that cannot reclaim its quota reserves it against borrowers. */
  private boolean hasStrictNeighbour(String queue, Quotas own, Map<String, List<JobView>> waiting) {
    return !own.cohort().isEmpty()
        && waiting.keySet().stream()
            .filter(name -> !name.equals(queue))
            .map(this::allowed)
            .anyMatch(other -> other.isStrict() && other.cohort().equals(own.cohort()));
  }

  private boolean fits(
      JobView job, String queue, Quotas own, String flavor, Map<String, Map<String, Long>> usage) {
    long wanted = job.totalCpuMillis();
    long used = usage.getOrDefault(queue, Map.of()).getOrDefault(flavor, 0L);
    if (used + wanted > own.quota(flavor).limit(own.cohort())) {
      return false;
    }
    return own.cohort().isEmpty()
        || inCohort(usage, own.cohort(), flavor) + wanted
            <= ofCohort(Instant.MAX, own.cohort(), flavor);
  }

  /** Reports the jobs that never ran although nothing else did any more. */
  void checkNoneLost() {
    for (JobView job : jobs()) {
      if (job.isManaged()
          && !job.hasEnded()
          && !job.isDeleting()
          && canEverFit(job)
          && !allowed(clusterQueue(job)).isStrict()) {
        violations.add("in the end, a job was never run: " + job.tree());
      }
    }
  }

  /** {@return whether the job could run in an empty cluster} */
  private boolean canEverFit(JobView job) {
    String queue = clusterQueue(job);
    if (queue.isEmpty()) {
      return false;
    }
    Quotas own = allowed(queue);
    return own.byFlavor().keySet().stream()
        .anyMatch(flavor -> fits(job, queue, own, flavor, Map.of()));
  }

  private String clusterQueue(JobView job) {
    ObjectNode queue = cluster.tree(
        new ObjectKey("kueue.x-k8s.io", "LocalQueue", job.key().namespace(), job.queue()));
    return queue == null ? "" : queue.at("/spec/clusterQueue").asText();
  }

  List<JobView> jobs() {
    List<JobView> jobs = new ArrayList<>();
    jobTrees().forEach(tree -> jobs.add(view(tree)));
    jobs.removeIf(JobView::isChild);
    return jobs;
  }

  /** The pods of a Job, or of the Jobs of a JobSet, that have not finished. */
  private long livePods(String uid) {
    Set<String> owners = new HashSet<>(Set.of(uid));
    for (ObjectNode child : cluster.trees("Job")) {
      if (child.at("/metadata/ownerReferences/0/uid").asText().equals(uid)) {
        owners.add(child.at("/metadata/uid").asText());
      }
    }
    return cluster.trees("Pod").stream()
        .filter(pod -> owners.stream().anyMatch(owner -> JobSimulator.isLivePod(pod, owner)))
        .count();
  }

  private void fail(ApiWrite write, String what) {
    violations.add(write + ": " + what);
  }
}
