package io.kueue4j.core;

import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.management.ThreadMXBean;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A chain of cohorts, each the parent of the next, with a ClusterQueue at each end. */
class NestedCohortsTest {
  private static final int SIZE = 200;
  private static final int TIMES = 8;

  private static List<ConfigObject> chain(int cohorts) {
    List<ConfigObject> objects = new ArrayList<>(List.of(ResourceFlavor.of("default")));
    for (int i = 0; i < cohorts; i++) {
      Cohort.Builder cohort = Cohort.builder().name("c" + i);
      objects.add(i == 0 ? cohort.build() : cohort.parent("c" + (i - 1)).build());
    }
    objects.add(queue("top", "c0", 4).build());
    objects.add(queue("bottom", "c" + (cohorts - 1), 4).build());
    objects.add(LocalQueue.of("ns", "top", "top"));
    objects.add(LocalQueue.of("ns", "bottom", "bottom"));
    return objects;
  }

  private static Workload job(String name, String queue, int cores) {
    return Workload.of(
        "ns", name, queue, PodSet.builder().count(cores).request("cpu", "1").build());
  }

  /** Creates the chain, changes all of it, and admits a workload at the bottom. */
  @CanIgnoreReturnValue
  private static long allocatedForChain(int cohorts) {
    List<ConfigObject> objects = chain(cohorts);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(objects);
    engine.submit(job("waits", "top", 9));
    EngineView unused = engine.view();
    engine.apply(objects);
    AdmissionResult unused2 = engine.tryAdmit(job("runs", "bottom", 6)).result();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void allocationGrowsWithTheDepth() {
    allocatedForChain(SIZE);

    assertThat(allocatedForChain(SIZE * TIMES)).isLessThan(2 * TIMES * allocatedForChain(SIZE));
  }

  @Test
  void theBottomBorrowsFromTheTop() {
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(chain(20_000));

    assertThat(engine.tryAdmit(job("large", "bottom", 6)).result())
        .isInstanceOf(AdmissionResult.Admitted.class);
    assertThat(engine.tryAdmit(job("too-large", "top", 3)).result())
        .isNotInstanceOf(AdmissionResult.Admitted.class);
    assertThat(engine.view().whatIf().tryAdmit(job("small", "top", 2)).result())
        .isInstanceOf(AdmissionResult.Admitted.class);
  }
}
