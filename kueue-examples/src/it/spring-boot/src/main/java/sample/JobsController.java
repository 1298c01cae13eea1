package sample;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Takes jobs, and starts them when they are admitted. */
@RestController
@RequestMapping("/jobs/{namespace}/{name}")
class JobsController {
  private static final Logger LOG = LoggerFactory.getLogger(JobsController.class);

  private static final int MAX_CYCLES = 1_000;

  private final AdmissionEngine engine;

  JobsController(AdmissionEngine engine) {
    this.engine = engine;
  }

  /** A job of equal processes, and what each of them requests. */
  record Job(String queue, int priority, int processes, Map<String, String> requests) {}

  /** The same job may be submitted again; it keeps its place. */
  @PutMapping
  @ResponseStatus(HttpStatus.ACCEPTED)
  void submit(@PathVariable String namespace, @PathVariable String name, @RequestBody Job job) {
    PodSet.Builder processes = PodSet.builder().count(job.processes());
    job.requests().forEach(processes::request);
    Workload workload = Workload.builder()
        .namespace(namespace)
        .name(name)
        .queueName(job.queue())
        .priority(job.priority())
        .addPodSets(processes.build())
        .build();
    if (engine.submit(workload).result() instanceof AdmissionResult.Rejected rejected) {
      List<String> reasons = rejected.reasons().stream().map(Reason::message).toList();
      throw new IllegalArgumentException(String.join("; ", reasons));
    }
    decide();
  }

  /** A quantity that is none, a job that breaks rules, or one of that name with other content. */
  @ExceptionHandler
  @ResponseStatus(HttpStatus.BAD_REQUEST)
  String invalid(IllegalArgumentException problem) {
    return problem.getMessage();
  }

  /** The job has ended, or its user has cancelled it. */
  @DeleteMapping
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void finish(@PathVariable String namespace, @PathVariable String name) {
    if (engine.finish(new WorkloadId(namespace, name)).removed().isEmpty()) {
      throw new ResponseStatusException(HttpStatus.NOT_FOUND);
    }
    decide();
  }

  @Scheduled(fixedDelayString = "${kueue.tick:1s}")
  void decide() {
    act(engine.tick());
    engine.runUntilStable(MAX_CYCLES, () -> act(engine.runCycle()));
  }

  private Decisions act(Decisions decisions) {
    decisions.admitted().forEach(this::start);
    decisions.mustStop().forEach(this::stop);
    return decisions;
  }

  /** A real service starts processes here. */
  private void start(Admission admission) {
    LOG.info("start {} on {}", admission.workload(), admission.podSetAssignments());
  }

  /** A real service stops processes here, and reports it when they have ended. */
  private void stop(WorkloadId workload) {
    LOG.info("stop {}", workload);
    act(engine.podsStopped(workload));
  }
}
