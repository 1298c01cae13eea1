package io.kueue4j.examples.tracing;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decision.FinishedSlice;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.EngineListener.PreemptionConflict;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes spans of OpenTelemetry for the calls of an engine and for the decisions that they make.
 *
 * <p>The span of a call has a child for each decision, named after its kind
 * ({@code kueue.admitted}, {@code kueue.pending}, {@code kueue.preempted} and so on), and an event
 * for each conflict between preemptions. Their attributes name the workload, the ClusterQueue and,
 * by kind of decision, flavors, cause, reasons or preemptor.
 *
 * <p>Calls that are not wrapped by {@link #trace} have a span if they decide something: it takes no
 * time, and its decisions name the ClusterQueue only if they contain it.
 *
 * <pre>{@code
 * TracingListener tracing = new TracingListener(openTelemetry);
 * AdmissionEngine engine =
 *     AdmissionEngine.builder().listener(tracing, failure -> log(failure)).build();
 * Decisions cycle = tracing.trace("kueue.cycle", engine, AdmissionEngine::runCycle);
 * }</pre>
 *
 * <p>Use one listener per engine. Span processors must not block, since the engine's lock is held.
 */
public final class TracingListener implements EngineListener {
  static final AttributeKey<String> WORKLOAD = AttributeKey.stringKey("kueue.workload");
  static final AttributeKey<String> CLUSTER_QUEUE = AttributeKey.stringKey("kueue.cluster_queue");
  static final AttributeKey<String> CAUSE = AttributeKey.stringKey("kueue.cause");
  static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("kueue.message");
  static final AttributeKey<String> PREEMPTOR = AttributeKey.stringKey("kueue.preemptor");
  static final AttributeKey<String> SUCCESSOR = AttributeKey.stringKey("kueue.successor");

  /** The flavor of each resource of each pod set, such as {@code main/cpu=spot}. */
  static final AttributeKey<List<String>> FLAVORS = AttributeKey.stringArrayKey("kueue.flavors");

  static final AttributeKey<List<String>> REASONS = AttributeKey.stringArrayKey("kueue.reasons");
  static final AttributeKey<List<String>> VICTIMS = AttributeKey.stringArrayKey("kueue.victims");
  static final AttributeKey<Boolean> SKIPPED = AttributeKey.booleanKey("kueue.skipped");
  static final AttributeKey<String> RECOMPUTATION = AttributeKey.stringKey("kueue.recomputation");
  static final AttributeKey<Long> ADMITTED = AttributeKey.longKey("kueue.admitted");
  static final AttributeKey<Long> PENDING = AttributeKey.longKey("kueue.pending");
  static final AttributeKey<Long> MUST_STOP = AttributeKey.longKey("kueue.must_stop");

  private static final ContextKey<Call> CALL = ContextKey.named("kueue4j-call");

  private final Tracer tracer;

  /** The conflicts of a call whose decisions follow. */
  private final List<PreemptionConflict> conflicts = new ArrayList<>();

  /** A call that {@link #trace} wraps. */
  private record Call(Span span, AdmissionEngine engine) {}

  /** Creates a listener that makes spans by the tracer {@code io.kueue4j}. */
  public TracingListener(OpenTelemetry openTelemetry) {
    tracer = openTelemetry.getTracer("io.kueue4j");
  }

  /**
   * Runs a call of the engine in a span, which is the parent of the decisions of that call.
   *
   * @param name the name of the span, such as {@code kueue.cycle}
   * @param engine the engine that this listener was set in
   * @param call the call, such as {@code AdmissionEngine::runCycle}
   * @return what the call returns
   */
  public <R> R trace(
      String name, AdmissionEngine engine, Function<? super AdmissionEngine, ? extends R> call) {
    Span span = tracer.spanBuilder(name).startSpan();
    Context context = Context.current().with(span).with(CALL, new Call(span, engine));
    try {
      return context.<R>wrapSupplier(() -> call.apply(engine)).get();
    } catch (RuntimeException | Error e) {
      span.recordException(e).setStatus(StatusCode.ERROR);
      throw e;
    } finally {
      span.end();
    }
  }

  @Override
  public void preemptionsConflicted(List<PreemptionConflict> conflicts) {
    this.conflicts.addAll(conflicts);
  }

  @Override
  public void decided(Decisions decisions) {
    Call traced = Context.current().get(CALL);
    Span call = traced != null ? traced.span : tracer.spanBuilder("kueue.call").startSpan();
    call.setAttribute(ADMITTED, (long) decisions.admitted().size())
        .setAttribute(PENDING, (long) decisions.pending().size())
        .setAttribute(MUST_STOP, (long) decisions.mustStop().size());
    conflicts.forEach(conflict -> call.addEvent("preemptions conflicted", attributes(conflict)));
    conflicts.clear();
    Context parent = Context.current().with(call);
    for (Decision decision : decisions.all()) {
      Span span = tracer.spanBuilder(name(decision)).setParent(parent).startSpan();
      if (traced != null) {
        clusterQueue(traced.engine, decision.workload())
            .ifPresent(queue -> span.setAttribute(CLUSTER_QUEUE, queue));
      }
      span.setAllAttributes(attributes(decision)).end();
    }
    if (traced == null) {
      call.end();
    }
  }

  /** {@return the ClusterQueue whose quota the workload holds, otherwise the one it waits in} */
  private static Optional<String> clusterQueue(AdmissionEngine engine, WorkloadId id) {
    return engine
        .admission(id)
        .map(Admission::clusterQueue)
        .or(() -> engine
            .workload(id)
            .flatMap(workload -> engine.view().localQueue(id.namespace(), workload.queueName()))
            .map(queue -> queue.spec().clusterQueue()));
  }

  private static String name(Decision decision) {
    if (decision instanceof AdmissionResult result) {
      return result.match(
          admitted -> "kueue.admitted",
          reserved -> "kueue.reserved",
          preempting -> "kueue.preempting",
          pending -> "kueue.pending",
          rejected -> "kueue.rejected");
    } else if (decision instanceof PreemptionVictim) {
      return "kueue.preempted";
    } else if (decision instanceof Eviction) {
      return "kueue.evicted";
    } else if (decision instanceof Decision.Suspension) {
      return "kueue.suspended";
    } else if (decision instanceof Decision.Replacement) {
      return "kueue.replaced";
    } else if (decision instanceof Decision.PromiseChange) {
      return "kueue.promise_changed";
    } else if (decision instanceof Decision.Removal) {
      return "kueue.removed";
    } else {
      return "kueue.slice_finished";
    }
  }

  private static Attributes attributes(Decision decision) {
    AttributesBuilder attributes = Attributes.builder();
    attributes.put(WORKLOAD, decision.workload().toString());
    if (decision instanceof AdmissionResult result) {
      result.match(
          admitted -> put(attributes, admitted.admission()),
          reserved -> put(put(attributes, reserved.admission()), reserved.reasons()),
          preempting -> attributes.put(
              VICTIMS,
              preempting.victims().stream()
                  .map(victim -> victim.workload().toString())
                  .toList()),
          pending -> put(attributes.put(CAUSE, pending.cause().toString()), pending.reasons()),
          rejected -> put(attributes, rejected.reasons()));
    } else if (decision instanceof PreemptionVictim victim) {
      attributes
          .put(CLUSTER_QUEUE, victim.clusterQueue())
          .put(PREEMPTOR, victim.preemptor().toString())
          .put(CAUSE, victim.reason().toString());
    } else if (decision instanceof Eviction eviction) {
      attributes.put(CAUSE, eviction.reason().toString()).put(MESSAGE, eviction.message());
    } else if (decision instanceof Decision.Replacement replacement) {
      put(attributes, replacement.admission());
    } else if (decision instanceof Decision.PromiseChange change) {
      attributes.put(MESSAGE, change.reason());
    } else if (decision instanceof Decision.Removal removal) {
      attributes.put(CAUSE, removal.reason().toString());
    } else if (decision instanceof FinishedSlice slice) {
      attributes
          .put(SUCCESSOR, slice.successor().toString())
          .put(CAUSE, slice.reason().toString())
          .put(MESSAGE, slice.message());
    }
    return attributes.build();
  }

  private static AttributesBuilder put(AttributesBuilder attributes, Admission admission) {
    return attributes
        .put(CLUSTER_QUEUE, admission.clusterQueue())
        .put(
            FLAVORS,
            admission.podSetAssignments().stream()
                .flatMap(podSet -> podSet.flavors().entrySet().stream()
                    .map(each -> podSet.name() + "/" + each.getKey() + "=" + each.getValue()))
                .toList());
  }

  private static AttributesBuilder put(AttributesBuilder attributes, List<Reason> reasons) {
    return attributes.put(REASONS, reasons.stream().map(Reason::message).toList());
  }

  private static Attributes attributes(PreemptionConflict conflict) {
    AttributesBuilder attributes = Attributes.builder()
        .put(WORKLOAD, conflict.workload().toString())
        .put(CLUSTER_QUEUE, conflict.clusterQueue())
        .put(SKIPPED, conflict.isSkipped());
    conflict.recomputation().ifPresent(result -> attributes.put(RECOMPUTATION, result.toString()));
    return attributes.build();
  }
}
