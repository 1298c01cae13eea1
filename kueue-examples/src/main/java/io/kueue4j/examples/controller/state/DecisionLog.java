package io.kueue4j.examples.controller.state;

import com.google.common.base.Joiner;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs the decisions of an engine, one line each.
 *
 * @param book the jobs of the workloads
 */
public record DecisionLog(EngineBook book) {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);

  public void log(Decisions decisions) {
    decisions.reserved().forEach(admission -> log(admission, "QuotaReserved"));
    decisions.admitted().forEach(admission -> log(admission, "Admitted"));
    for (PreemptionVictim victim : decisions.preempted()) {
      about(victim.workload()).addKeyValue("reason", victim.reason()).log("Preempted");
    }
    for (Eviction eviction : decisions.evicted()) {
      about(eviction.workload())
          .addKeyValue("reason", eviction.reason())
          .addKeyValue("why", eviction.message())
          .log("Evicted");
    }
  }

  /** Logs that a job has ended. */
  public static void finished(JobRecord record, String message) {
    LOG.atInfo().addKeyValue("job", record.key()).addKeyValue("reason", message).log("Finished");
  }

  private void log(Admission admission, String message) {
    String queue = book.record(admission.workload())
        .flatMap(JobRecord::workload)
        .map(Workload::queueName)
        .orElse("");
    about(admission.workload())
        .addKeyValue("queue", queue)
        .addKeyValue("clusterQueue", admission.clusterQueue())
        .addKeyValue("flavors", flavors(admission))
        .log(message);
  }

  private LoggingEventBuilder about(WorkloadId workload) {
    return book.record(workload)
        .map(record -> LOG.atInfo().addKeyValue("job", record.key()))
        .orElseGet(() -> LOG.atInfo().addKeyValue("workload", workload));
  }

  /** {@return the flavors of an admission, such as {@code main:cpu=spot}} */
  static String flavors(Admission admission) {
    return admission.podSetAssignments().stream()
        .map(assignment -> assignment.name() + ":"
            + Joiner.on(",").withKeyValueSeparator("=").join(assignment.flavors()))
        .collect(Collectors.joining(";"));
  }
}
