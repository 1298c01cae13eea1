package sample;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Starts and stops the Jobs that name a queue.
 *
 * <p>It needs every event: the status of a Job shows whether its pods have stopped, and a Job that
 * was deleted releases its quota.
 */
@ControllerConfiguration(
    informer = @Informer(labelSelector = JobReconciler.QUEUE),
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true)
public final class JobReconciler implements Reconciler<Job> {
  static final String QUEUE = "kueue.x-k8s.io/queue-name";

  private final JobAdmission admission;

  JobReconciler(JobAdmission admission) {
    this.admission = admission;
  }

  /** Triggers the reconciliation of Jobs that start or stop because of another Job. */
  @Override
  public List<EventSource<?, Job>> prepareEventSources(EventSourceContext<Job> context) {
    SimpleInboundEventSource<Job> affected = new SimpleInboundEventSource<>("affected");
    admission.onAffected(job -> affected.propagateEvent(ResourceID.fromResource(job)));
    return List.of(affected);
  }

  // snippet
  @Override
  public UpdateControl<Job> reconcile(Job job, Context<Job> context) {
    admission.resume(() -> context.getPrimaryCache().list());
    if (context.isPrimaryResourceDeleted()) {
      admission.delete(job);
    } else {
      admission.reconcile(job).ifPresent(edit -> write(edit, context));
    }
    UpdateControl<Job> control = UpdateControl.noUpdate();
    admission.next().ifPresent(next -> control.rescheduleAfter(until(next)));
    return control;
  }
  // end

  /** An update contains the resourceVersion: if the Job has changed, it fails and is retried. */
  private static void write(JobAdmission.Edit edit, Context<Job> context) {
    var job = context.getClient().resource(edit.job());
    if (edit.isOfStatus()) {
      job.updateStatus();
    } else {
      job.update();
    }
  }

  private static Duration until(Instant time) {
    Duration wait = Duration.between(Instant.now(), time);
    return wait.isNegative() ? Duration.ZERO : wait;
  }
}
