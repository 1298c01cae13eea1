package io.kueue4j.core;

import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.Topology;
import java.util.Random;

/** Capacity windows for random lives of engines. */
final class RandomWindows {
  private RandomWindows() {}

  static String name(Random random) {
    return "win" + random.nextInt(3);
  }

  private static CapacityWindow.Builder window(Random random) {
    int start = random.nextInt(100) - 20;
    CapacityWindow.Builder window = CapacityWindow.builder()
        .name(name(random))
        .start(Cluster.START.plusSeconds(start))
        .end(Cluster.START.plusSeconds(start + 1 + random.nextInt(60)));
    if (random.nextBoolean()) {
      window.addWorkloads(RandomCall.id(random.nextInt(10)));
    }
    return window;
  }

  static CapacityWindow ofQueue(String queue, String flavor, Random random) {
    CapacityWindow.Builder window =
        window(random).clusterQueue(queue).keep(flavor, "cpu", "" + (1 + random.nextInt(5)));
    if (random.nextBoolean()) {
      window.keep(flavor, "gpu", "" + (1 + random.nextInt(3)));
    }
    return (random.nextInt(3) == 0 ? window.addLocalQueues("ns/l0") : window).build();
  }

  static CapacityWindow ofHost(String host, Random random) {
    return window(random).putNodeLabels(Topology.HOSTNAME, host).build();
  }
}
