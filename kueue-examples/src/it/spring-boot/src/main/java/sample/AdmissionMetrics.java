package sample;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.EngineListener.StatusChange;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

/** Records the waiting time of each admission, and counts evictions, by ClusterQueue. */
@Component
class AdmissionMetrics implements EngineListener {
  private static final String QUEUE = "cluster_queue";

  private final MeterRegistry registry;

  AdmissionMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void statusChanged(StatusChange change) {
    String queue = change.clusterQueue().orElse("");
    change
        .becameTrue(ConditionType.ADMITTED)
        .ifPresent(admitted -> registry
            .timer("kueue.admission.wait", QUEUE, queue)
            .record(Duration.between(change.submitted(), admitted.lastTransitionTime())));
    change
        .becameTrue(ConditionType.EVICTED)
        .ifPresent(evicted -> registry
            .counter("kueue.evictions", QUEUE, queue, "reason", evicted.reason())
            .increment());
  }

  @Configuration
  static class Gauges {
    /** The number of workloads that wait, read at each scrape. */
    @Bean
    MeterBinder pendingWorkloads(AdmissionEngine engine) {
      return registry -> engine.view().clusterQueues().stream()
          .map(ClusterQueueView::name)
          .forEach(queue -> Gauge.builder("kueue.pending", engine, each -> pending(each, queue))
              .tag(QUEUE, queue)
              .register(registry));
    }

    private static double pending(AdmissionEngine engine, String queue) {
      return engine
          .view()
          .clusterQueue(queue)
          .map(ClusterQueueView::waitingCount)
          .orElse(0);
    }
  }
}
