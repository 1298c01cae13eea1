package io.kueue4j.examples.controller.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Strings;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.configuration.RecordedSlices;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.RecordedAdmission;
import io.kueue4j.k8s.status.ObjectConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records which starts jobs are promised, so that a controller that starts keeps them: a condition
 * of the Workload whose message has the start, the admission that the job will get then, and its
 * TPU slices, as JSON.
 *
 * <p>A condition, because tenants may write annotations but not the status. A promise is restored
 * only for the pods that it was recorded for, with the same checks as an admission and the usage of
 * these pods. The engine plans it anew before it decides.
 *
 * @param book what the engine has promised
 * @param workloads the Workloads of the cluster
 */
public record PromiseRecords(EngineBook book, KnownWorkloads workloads) {
  private static final Logger LOG = LoggerFactory.getLogger(PromiseRecords.class);

  /** A start that moves by less than this, or by less than a tenth of the wait, is no news. */
  private static final Duration MIN_MOVE = Duration.ofMinutes(1);

  private static final int MIN_MOVE_DIVISOR = 10;
  private static final String START = "start";
  private static final String ADMISSION = "admission";
  private static final String SLICES = "slices";

  /** {@return the recorded start of a job, empty if none can be read} */
  public Optional<Instant> start(JobRecord record) {
    return workloads.find(record.job()).flatMap(PromiseRecords::start);
  }

  static Optional<Instant> start(GenericKubernetesResource object) {
    try {
      return content(object).map(content -> Json.time(content, START));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** {@return what is recorded for the present pods, empty if nothing is} */
  private static Optional<ObjectNode> content(GenericKubernetesResource object) {
    return ObjectConditions.find(object, WorkloadObjects.PROMISED_START)
        .filter(condition -> Objects.equals(
            condition.getObservedGeneration(), object.getMetadata().getGeneration()))
        .map(condition -> Json.parse(Strings.nullToEmpty(condition.getMessage())));
  }

  /** {@return a Workload with what it is promised; a start that has hardly moved is kept} */
  GenericKubernetesResource write(WorkloadId id, GenericKubernetesResource object) {
    Optional<Promise> promise = book.engine().lifecycle().promise(id);
    if (promise.isEmpty()) {
      return ObjectConditions.remove(object, WorkloadObjects.PROMISED_START);
    }
    Instant start = promise.get().start();
    return start(object).filter(recorded -> !isNews(recorded, start)).isPresent()
        ? object
        : ObjectConditions.set(
            object,
            WorkloadObjects.PROMISED_START,
            true,
            "Promised",
            message(promise.get()),
            book.now());
  }

  private boolean isNews(Instant recorded, Instant start) {
    Duration wait = Duration.between(book.now(), recorded).abs();
    Duration move = Duration.between(recorded, start).abs();
    return move.compareTo(MIN_MOVE) >= 0 && move.compareTo(wait.dividedBy(MIN_MOVE_DIVISOR)) >= 0;
  }

  private static String message(Promise promise) {
    Admission admission = Admission.builder()
        .workload(promise.workload())
        .clusterQueue(promise.clusterQueue())
        .quotaReservedTime(promise.start())
        .podSetAssignments(promise.podSetAssignments())
        .build();
    ObjectNode content = Json.object().put(START, promise.start().toString());
    content.set(ADMISSION, WorkloadRecords.withoutUsage(RecordedSlices.without(admission)));
    return Json.text(content.put(SLICES, RecordedSlices.write(admission)));
  }

  /**
   * {@return what an event says about the start of a job}
   *
   * @param before the recorded start before, empty if there was none
   * @param after the recorded start now, empty if there is none
   */
  public static String text(JobRecord record, Optional<Instant> before, Optional<Instant> after) {
    String why = record
        .promiseChange()
        .filter(change -> change.promise().isPresent() == after.isPresent())
        .map(change -> ", because " + change.reason())
        .orElse("");
    return after.map(start -> "starts at the latest at " + start).orElse("is promised no start")
        + before
            .map(start -> (after.isPresent() ? ", moved from " : " any more; it was ") + start)
            .orElse("")
        + why;
  }

  /**
   * Restores the promise that the Workload of a queued job has from an earlier controller. A
   * promise that cannot be restored is logged.
   */
  public void restore(JobRecord record, Workload workload, RecordChecks checks) {
    if (record.promiseChange().isPresent()
        || book.engine().settings().backfill().isEmpty()) {
      return;
    }
    Optional<GenericKubernetesResource> object =
        workloads.find(record.job()).filter(found -> workloads.requests(found, workload));
    try {
      object
          .flatMap(PromiseRecords::content)
          .map(content -> promise(record, object.get(), content, workload, checks))
          .ifPresent(promise -> book.apply(lifecycle -> lifecycle.restore(promise)));
    } catch (IllegalArgumentException e) {
      LOG.warn(record.key() + " is not promised the recorded start any more: " + e.getMessage());
    }
  }

  private Promise promise(
      JobRecord record,
      GenericKubernetesResource object,
      ObjectNode content,
      Workload workload,
      RecordChecks checks) {
    GenericKubernetesResource admitted = asAdmitted(object, content);
    RecordedAdmission recorded = WorkloadContent.of(record, admitted, workloads.read(admitted));
    checks.misfit(recorded).ifPresent(problem -> {
      throw new IllegalArgumentException(problem);
    });
    Admission admission = checks.held(recorded, workload);
    return Promise.builder()
        .workload(workload.id())
        .clusterQueue(admission.clusterQueue())
        .start(admission.quotaReservedTime())
        .podSetAssignments(admission.podSetAssignments())
        .build();
  }

  /** {@return a Workload as if it had been given at the start what it is promised then} */
  private static GenericKubernetesResource asAdmitted(
      GenericKubernetesResource object, ObjectNode content) {
    Map<String, Object> fields = new HashMap<>(object.getAdditionalProperties());
    Object promised = Json.as(content.path(ADMISSION), Object.class);
    fields.put("status", Map.of("admission", Objects.requireNonNullElse(promised, Map.of())));
    GenericKubernetesResource admitted = WorkloadObjects.with(object, object.getMetadata(), fields);
    Instant start = Json.time(content, START);
    return ObjectConditions.set(
        ObjectConditions.set(
            admitted, ConditionType.QUOTA_RESERVED.toString(), true, "Promised", "", start),
        WorkloadObjects.TPU_SLICES,
        true,
        "Promised",
        Json.text(content, SLICES),
        start);
  }
}
