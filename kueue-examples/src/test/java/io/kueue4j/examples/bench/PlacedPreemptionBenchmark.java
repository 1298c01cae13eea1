package io.kueue4j.examples.bench;

import static com.google.common.base.Preconditions.checkState;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
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
 * Measures the search for victims for a gang on nodes that are all in use. No workload is evicted,
 * so each search has the same result.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp
public class PlacedPreemptionBenchmark {
  private static final int NODES_OF_RACK = 50;

  /** The shape of the cluster. */
  public enum Shape {
    /** 1,000 nodes with 30 resources, and a gang of 200 pods. */
    GANG(1000, 30, 200, 200),
    /** 2,000 nodes with 700 candidates. */
    CANDIDATES(2000, 1, 700, 200);

    private final int nodes;
    private final int resources;
    private final int workloads;
    private final int pods;

    Shape(int nodes, int resources, int workloads, int pods) {
      this.nodes = nodes;
      this.resources = resources;
      this.workloads = workloads;
      this.pods = pods;
    }
  }

  /** The shape of the cluster. */
  @Param
  public Shape shape;

  private AdmissionEngine engine;
  private Workload preemptor;

  /** Creates the benchmark; called by JMH. */
  public PlacedPreemptionBenchmark() {}

  /** Fills all nodes. */
  @Setup(Level.Trial)
  public void setUp() {
    PlacedCluster cluster =
        new PlacedCluster(shape.nodes, NODES_OF_RACK, shape.resources - 1, false);
    engine = cluster.engine();
    int left = shape.nodes;
    for (int i = 0; i < shape.workloads; i++) {
      int pods = left / (shape.workloads - i);
      left -= pods;
      Workload load = cluster.workload(
          "load-" + i,
          i % 10,
          PlacedCluster.CPUS_OF_NODE,
          PodSet.builder().count(pods).topologyRequest(TopologyRequest.anywhere()));
      checkState(engine.tryAdmit(load).result().isAdmitted());
    }
    preemptor = cluster.workload(
        "preemptor",
        100,
        PlacedCluster.CPUS_OF_NODE,
        PodSet.builder()
            .count(shape.pods)
            .topologyRequest(TopologyRequest.required(PlacedCluster.BLOCK)));
    checkState(findVictims() instanceof AdmissionResult.Preempting);
  }

  /** {@return the victims of a cycle in which the gang is tried} */
  @Benchmark
  public AdmissionResult findVictims() {
    return engine.tryAdmit(preemptor).result();
  }
}
