package io.kueue4j.examples.bench;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Workload;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the creation of a fork of a cluster with ten running workloads in each ClusterQueue, and
 * queries of it. The workloads are submitted to the ClusterQueues in turn.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp
public class WhatIfBenchmark {
  private static final int WORKLOADS_OF_QUEUE = 10;

  /** The number of ClusterQueues. */
  @Param("1000")
  public int clusterQueues;

  /** The number of cohorts; a fork copies what it changes by cohort. */
  @Param({"10", "100"})
  public int cohorts;

  private AdmissionEngine engine;
  private ImmutableList<Workload> small;
  private int next;

  /** Creates the benchmark; called by JMH. */
  public WhatIfBenchmark() {}

  /** Fills the cluster. */
  @Setup(Level.Trial)
  public void setUp() {
    LoadedCluster cluster = new LoadedCluster(clusterQueues, cohorts, WORKLOADS_OF_QUEUE);
    engine = cluster.engine();
    small = cluster.workloads(LoadedCluster.CPU_OF_QUEUE / 10);
    checkState(forkAndTryAdmit().isAdmitted());
  }

  /** {@return a fork of the engine, which has not changed since the last} */
  @Benchmark
  public AdmissionEngine fork() {
    return engine.view().whatIf();
  }

  /** {@return the result of a fork for one workload that fits} */
  @Benchmark
  public AdmissionResult forkAndTryAdmit() {
    return engine.view().whatIf().tryAdmit(nextWorkload()).result();
  }

  /** {@return the result of a cycle without pending workloads in a fork} */
  @Benchmark
  public Decisions forkAndRunCycle() {
    return engine.view().whatIf().runCycle();
  }

  /** {@return the view after an admission and its release; earlier views may still be reachable} */
  @Benchmark
  public EngineView changeAndView() {
    Workload workload = nextWorkload();
    AdmissionResult unused = engine.tryAdmit(workload).result();
    engine.release(workload.id());
    return engine.view();
  }

  private Workload nextWorkload() {
    next = next + 1 < small.size() ? next + 1 : 0;
    return small.get(next);
  }
}
