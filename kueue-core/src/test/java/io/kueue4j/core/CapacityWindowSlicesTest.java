package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TPU slices do not get the hosts that a capacity window keeps. */
class CapacityWindowSlicesTest {
  /** {@return a cluster whose TPU pod has a host in each of two racks} */
  private static Cluster twoHosts(int depth) {
    return new Cluster(CapacityWindowTest.settings(depth))
        .with(
            TpuPoolSet.of("v6e", TpuSlices.pod("pod", "2x4").withNodes(List.of("a", "b"))),
            TpuSlices.flavor("tpu", "v6e"),
            Hosts.host("r1/a:4"),
            Hosts.host("r2/b:4"))
        .with(TpuSlices.queue("queue", 8, "tpu"))
        .with(CapacityWindowTest.ofNodes(100, 200, "r1").build());
  }

  private static Workload slice(String name, String shape, long expected) {
    return Cluster.changed(
        TpuSlices.job(name, shape, 1),
        workload -> workload.expectedDuration(Duration.ofSeconds(expected)));
  }

  private static List<String> sliceNodes(Cluster cluster, String job) {
    return TpuSlices.slices(cluster.engine.admission(id(job)).orElseThrow())
        .get(0)
        .placement()
        .nodes();
  }

  @Test
  void tpuSlicesGoToHostsOutsideOfTheWindow() {
    Cluster cluster = twoHosts(0);

    cluster.submit(slice("first", "2x2", 101)).submit(slice("second", "2x2", 101));

    assertThat(CapacityWindowTest.running(cluster, "queue")).containsExactly("first");
    assertThat(sliceNodes(cluster, "first")).containsExactly("b");
    assertThat(CapacityWindowTest.reason(cluster, "second").code())
        .isEqualTo(ReasonCode.RUNS_INTO_WINDOW);
    cluster.advanceSeconds(200);
    assertThat(CapacityWindowTest.running(cluster, "queue"))
        .containsExactlyInAnyOrder("first", "second");
    assertThat(sliceNodes(cluster, "second")).containsExactly("a");
  }

  @Test
  void shortTpuSlicesUseHostsBeforeTheWindow() {
    Cluster cluster = twoHosts(0);

    cluster.submit(slice("short", "2x4", 100));

    assertThat(CapacityWindowTest.running(cluster, "queue")).containsExactly("short");
  }

  @Test
  void aPromiseOfATpuSliceIsBehindTheWindow() {
    Cluster cluster = twoHosts(1);

    cluster.submit(slice("small", "2x2", 101));
    assertThat(CapacityWindowTest.running(cluster, "queue")).containsExactly("small");
    cluster.submit(slice("large", "2x4", 60));
    cluster.settle();

    assertThat(cluster.engine.promises())
        .singleElement()
        .returns(CapacityWindowTest.at(200), promise -> promise.start());
  }
}
