package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Validation of a write of the status of a Job, as it is since everybody may write it who manages
 * Jobs ({@code spec.managedBy}): what is wrong is refused where the write changes it.
 */
final class JobStatusRules {
  private static final String CONDITIONS = "status.conditions: Invalid value: ";
  private static final List<String> TERMINAL = List.of("Failed", "Complete", "FailureTarget");

  private final JsonNode oldJob;
  private final JsonNode job;
  private final JsonNode oldStatus;
  private final JsonNode status;
  private final List<String> causes = new ArrayList<>();

  private JobStatusRules(JsonNode oldJob, JsonNode job) {
    this.oldJob = oldJob;
    this.job = job;
    oldStatus = oldJob.path("status");
    status = job.path("status");
  }

  static List<String> violations(JsonNode oldJob, JsonNode job) {
    JobStatusRules rules = new JobStatusRules(oldJob, job);
    rules.checkEnd();
    rules.checkPods();
    rules.checkTimes();
    rules.checkWhatStays();
    return rules.causes;
  }

  private void refuseIf(boolean wrong, String cause) {
    if (wrong) {
      causes.add(cause);
    }
  }

  private boolean is(String condition) {
    return Trees.hasCondition(job, condition);
  }

  private boolean was(String condition) {
    return Trees.hasCondition(oldJob, condition);
  }

  private boolean changes(String condition) {
    return is(condition) != was(condition);
  }

  private boolean isFinished() {
    return is("Complete") || is("Failed");
  }

  private boolean changesFinished() {
    return isFinished() != (was("Complete") || was("Failed"));
  }

  private boolean changesField(String field) {
    return !oldStatus.path(field).equals(status.path(field));
  }

  private void checkEnd() {
    refuseIf(
        (changes("Complete") || changes("SuccessCriteriaMet"))
            && is("Complete")
            && !is("SuccessCriteriaMet"),
        CONDITIONS + "cannot set Complete=True condition without the SuccessCriteriaMet=true"
            + " condition");
    refuseIf(
        changes("Failed") && is("Failed") && !is("FailureTarget"),
        CONDITIONS + "cannot set Failed=True condition without the FailureTarget=true condition");
    refuseIf(
        (changes("Complete") || changes("Failed")) && is("Complete") && is("Failed"),
        CONDITIONS + "cannot set Complete=True and Failed=true conditions");
    refuseIf(
        is("SuccessCriteriaMet") && is("Failed"),
        CONDITIONS + "cannot set SuccessCriteriaMet=True and Failed=true conditions");
    refuseIf(
        is("SuccessCriteriaMet") && is("FailureTarget"),
        CONDITIONS + "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  }

  private void checkPods() {
    int active = status.path("active").asInt();
    boolean changesActive = changesField("active");
    refuseIf(
        (changesFinished() || changesActive) && isFinished() && active > 0,
        "status.active: Invalid value: " + active + ": active>0 is invalid for finished job");
    int terminating = status.path("terminating").asInt();
    refuseIf(
        (changesFinished() || changesField("terminating")) && isFinished() && terminating > 0,
        "status.terminating: Invalid value: " + terminating
            + ": terminating>0 is invalid for finished job");
    int ready = status.path("ready").asInt();
    refuseIf(
        (changesField("ready") || changesActive) && ready > active,
        "status.ready: Invalid value: " + ready + ": cannot set more ready pods than active");
    JsonNode spec = job.path("spec");
    boolean mayScale = spec.path("completionMode").asText().equals("Indexed")
        && spec.path("completions").equals(spec.path("parallelism"));
    for (String counter : List.of("failed", "succeeded")) {
      int count = status.path(counter).asInt();
      refuseIf(
          count < oldStatus.path(counter).asInt() && !(counter.equals("succeeded") && mayScale),
          "status." + counter + ": Invalid value: " + count + ": cannot decrease the " + counter
              + " counter");
    }
  }

  private void checkTimes() {
    boolean changesStart = changesField("startTime");
    boolean isSuspended = Trees.at(job, "spec", "suspend").asBoolean();
    boolean needsNoPods =
        isSuspended && Trees.at(job, "spec", "completions").asText().equals("0");
    refuseIf(
        (changesFinished() || changesStart)
            && isFinished()
            && !needsNoPods
            && !status.has("startTime"),
        "status.startTime: Required value: startTime is required for finished job");
    boolean resumes = was("Suspended") && !is("Suspended") && hasCondition(job, "Suspended");
    refuseIf(
        changesStart && !resumes && oldStatus.has("startTime") && !isSuspended,
        "status.startTime: Required value: startTime cannot be removed for unsuspended job");
    boolean changesEnd = changes("Complete") || changesField("completionTime");
    refuseIf(
        changesEnd && status.has("completionTime") && !is("Complete"),
        "status.completionTime: Invalid value: " + status.path("completionTime")
            + ": cannot set completionTime when there is no Complete=True condition");
    refuseIf(
        changesEnd && !status.has("completionTime") && is("Complete"),
        "status.completionTime: Required value: completionTime is required for Complete jobs");
    refuseIf(
        status.has("completionTime")
            && oldStatus.has("completionTime")
            && changesField("completionTime"),
        "status.completionTime: Invalid value: " + status.path("completionTime")
            + ": field is immutable");
  }

  private static boolean hasCondition(JsonNode object, String type) {
    for (JsonNode condition : Trees.at(object, "status", "conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return true;
      }
    }
    return false;
  }

  private void checkWhatStays() {
    for (String type : TERMINAL) {
      refuseIf(
          was(type) && !is(type),
          CONDITIONS + "cannot disable the terminal " + type + "=True condition");
    }
    refuseIf(
        was("SuccessCriteriaMet") && !is("SuccessCriteriaMet"),
        CONDITIONS + "cannot disable the SuccessCriteriaMet=True condition");
  }
}
