package io.kueue4j.examples.bench;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
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
 * Measures the decision on one workload, on a cluster of which half is in use. The workloads are
 * submitted to the ClusterQueues in turn.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp
public class TryAdmitBenchmark {
  private static final int COHORTS = 10;
  private static final int WORKLOADS_OF_QUEUE = 5;

  /** The number of ClusterQueues. */
  @Param("1000")
  public int clusterQueues;

  private AdmissionEngine engine;
  private ImmutableList<Workload> small;
  private ImmutableList<Workload> borrowing;
  private ImmutableList<Workload> tooLarge;
  private int next;

  /** Creates the benchmark; called by JMH. */
  public TryAdmitBenchmark() {}

  /** Fills the cluster. */
  @Setup(Level.Trial)
  public void setUp() {
    LoadedCluster cluster = new LoadedCluster(clusterQueues, COHORTS, WORKLOADS_OF_QUEUE);
    int cohortCpu = clusterQueues / COHORTS * LoadedCluster.CPU_OF_QUEUE;
    engine = cluster.engine();
    small = cluster.workloads(LoadedCluster.CPU_OF_QUEUE / 10);
    borrowing = cluster.workloads(LoadedCluster.CPU_OF_QUEUE * 3 / 2);
    // More than the unused quota of the cohort, less than its total quota.
    tooLarge = cluster.workloads(cohortCpu * 3 / 4);
    checkState(admitAndRelease(small).isAdmitted());
    checkState(admitAndRelease(borrowing).isAdmitted());
    checkState(!tryAdmitTooLarge().isAdmitted());
  }

  /** {@return the admission within the nominal quota of a queue, released again} */
  @Benchmark
  public AdmissionResult tryAdmitFittingAndRelease() {
    return admitAndRelease(small);
  }

  /** {@return the admission of a workload that borrows from the cohort, released again} */
  @Benchmark
  public AdmissionResult tryAdmitBorrowingAndRelease() {
    return admitAndRelease(borrowing);
  }

  /** {@return the result, with its reasons, for a workload that does not fit the cohort now} */
  @Benchmark
  public AdmissionResult tryAdmitTooLarge() {
    return engine.tryAdmit(next(tooLarge)).result();
  }

  private AdmissionResult admitAndRelease(ImmutableList<Workload> workloads) {
    Workload workload = next(workloads);
    AdmissionResult result = engine.tryAdmit(workload).result();
    engine.release(workload.id());
    return result;
  }

  private Workload next(ImmutableList<Workload> workloads) {
    next = next + 1 < workloads.size() ? next + 1 : 0;
    return workloads.get(next);
  }
}
