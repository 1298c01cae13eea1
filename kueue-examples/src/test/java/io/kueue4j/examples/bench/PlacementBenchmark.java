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
 * Measures the placement of a gang of 200 pods, two per node, in a topology of zones, blocks, racks
 * and hosts of which a third is in use, and the detection that there is no place for it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp
public class PlacementBenchmark {
  private static final int NODES_OF_RACK = 32;
  private static final int PODS = 200;
  private static final int CPUS = PlacedCluster.CPUS_OF_NODE / 2;

  /** The number of nodes. */
  @Param({"1000", "10000", "100000"})
  public int nodes;

  /** Whether nodes have taints and pods a node selector. */
  @Param({"false", "true"})
  public boolean constrained;

  private AdmissionEngine engine;
  private Workload inBlock;
  private Workload rackPreferred;
  private Workload anywhere;
  private Workload tooWide;

  /** Creates the benchmark; called by JMH. */
  public PlacementBenchmark() {}

  /** Fills a third of the nodes. */
  @Setup(Level.Trial)
  public void setUp() {
    PlacedCluster cluster = new PlacedCluster(nodes, NODES_OF_RACK, 0, constrained);
    engine = cluster.engine();
    int gangs = nodes / 3 / NODES_OF_RACK;
    for (int i = 0; i < gangs; i++) {
      Workload load = cluster.workload(
          "load-" + i,
          0,
          CPUS,
          PodSet.builder()
              .count(2 * NODES_OF_RACK / 3)
              .topologyRequest(TopologyRequest.required(PlacedCluster.RACK)));
      checkState(engine.tryAdmit(load).result().isAdmitted());
    }
    inBlock = gang(cluster, "in-block", PODS, TopologyRequest.required(PlacedCluster.BLOCK));
    rackPreferred =
        gang(cluster, "rack-preferred", PODS, TopologyRequest.preferred(PlacedCluster.RACK));
    anywhere = gang(cluster, "anywhere", PODS, TopologyRequest.anywhere());
    tooWide = gang(cluster, "too-wide", PODS, TopologyRequest.required(PlacedCluster.RACK));
    checkState(admitAndRelease(inBlock).isAdmitted());
    checkState(admitAndRelease(rackPreferred).isAdmitted());
    checkState(admitAndRelease(anywhere).isAdmitted());
    checkState(!engine.tryAdmit(tooWide).result().isAdmitted());
  }

  private Workload gang(PlacedCluster cluster, String name, int pods, TopologyRequest request) {
    PodSet.Builder podSet = PodSet.builder().count(pods).topologyRequest(request);
    return cluster.workload(name, 1, CPUS, constrained ? PlacedCluster.ofPool(podSet) : podSet);
  }

  /** {@return the admission of a gang that requires one block, released again} */
  @Benchmark
  public AdmissionResult placeInBlockAndRelease() {
    return admitAndRelease(inBlock);
  }

  /** {@return the admission of a gang that prefers one rack, released again} */
  @Benchmark
  public AdmissionResult placeNearAndRelease() {
    return admitAndRelease(rackPreferred);
  }

  /** {@return the admission of a gang without constraint, released again} */
  @Benchmark
  public AdmissionResult placeAnywhereAndRelease() {
    return admitAndRelease(anywhere);
  }

  /** {@return the result, with its reasons, for a gang for which every rack is too small} */
  @Benchmark
  public AdmissionResult refuseTooWide() {
    return engine.tryAdmit(tooWide).result();
  }

  private AdmissionResult admitAndRelease(Workload workload) {
    AdmissionResult result = engine.tryAdmit(workload).result();
    engine.release(workload.id());
    return result;
  }
}
