package io.kueue4j.examples.bench;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;

/**
 * The dimension that is increased step by step, to measure how the time of cycles grows with it. A
 * round leaves the size unchanged.
 */
enum GrowthSeries {
  /** Each queue admits one workload in each cycle. */
  QUEUES("ClusterQueues in cohorts of 10, one admission each", 10_000) {
    @Override
    GrowingCluster prepare(int size) {
      return full(size, 10, size);
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      replaceOneOfEach(cluster, size);
    }
  },
  /** The same in one cohort. */
  QUEUES_ONE_COHORT("ClusterQueues in one cohort, one admission each", 10_000) {
    @Override
    GrowingCluster prepare(int size) {
      return full(size, size, size);
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      replaceOneOfEach(cluster, size);
    }
  },
  /** Ten queues have work, the others are idle. */
  IDLE_QUEUES("ClusterQueues, 10 of them with work", 10_000) {
    @Override
    GrowingCluster prepare(int size) {
      return full(size, 10, 10);
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      replaceOneOfEach(cluster, 10);
    }
  },
  /** Free quota for one workload wakes every queue; one head fits, the others find no victims. */
  NO_ROOM_ONE_COHORT("ClusterQueues in one cohort, all full and tried", 10_000) {
    @Override
    GrowingCluster prepare(int size) {
      return full(size, size, size);
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      cluster.finish(1);
      cluster.cycle().admitted().forEach(cluster::submitAnother);
    }
  },
  /**
   * Every other queue has lent its whole quota; each reclaims a tenth of it, and releases it again.
   */
  VICTIMS("ClusterQueues in cohorts of 10, half of them preempting", 10_000) {
    @Override
    GrowingCluster prepare(int size) {
      return lent(size, 10, Settings.defaults());
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      takeBack(cluster, size);
    }
  },
  /** The same in one cohort. */
  VICTIMS_ONE_COHORT("ClusterQueues in one cohort, half of them preempting", 10_000) {
    @Override
    GrowingCluster prepare(int size) {
      return lent(size, size, Settings.defaults());
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      takeBack(cluster, size);
    }
  },
  /** The same under fair sharing: victims are taken from those with the largest share. */
  FAIR_VICTIMS_ONE_COHORT(
      "ClusterQueues in one cohort under fair sharing, half of them preempting", 3_000) {
    @Override
    GrowingCluster prepare(int size) {
      return lent(size, size, FAIR_SHARING);
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      takeBack(cluster, size);
    }
  },
  /** A chain of cohorts above ten queues is applied again. */
  NESTED_COHORTS("nested cohorts, all applied anew", 10_000) {
    @Override
    GrowingCluster prepare(int size) {
      GrowingCluster cluster = full(10, 10, 10);
      cluster.apply(GrowingCluster.chain(size));
      return cluster;
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      cluster.apply(GrowingCluster.chain(size));
    }
  },
  /** 1,000 queues with short or long backlogs. */
  PENDING("pending workloads in 1,000 ClusterQueues, one admission each", 1_000, 1_000_000) {
    @Override
    GrowingCluster prepare(int size) {
      GrowingCluster cluster = running(1_000, 10, 1_000);
      submit(cluster, 1_000, size, 1);
      return cluster;
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      replaceOneOfEach(cluster, 1_000);
    }
  },
  /** The same with distinct shapes, so that each is tried on its own. */
  PENDING_ALL_DIFFERENT(
      "pending workloads of as many shapes, one admission each", 1_000, 1_000_000) {
    @Override
    GrowingCluster prepare(int size) {
      GrowingCluster cluster = running(1_000, 10, 1_000);
      for (int i = 0; i < size; i++) {
        cluster.submitOfNewShape(i % 1_000);
      }
      return cluster;
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      cluster.finish(1_000);
      cluster
          .cycle()
          .admitted()
          .forEach(admission -> cluster.submitOfNewShape(GrowingCluster.queueOf(admission)));
    }
  },
  /**
   * The first workload of each queue is promised a start. One ends early, so that others may start
   * earlier than promised.
   */
  PROMISES("promised starts in one cohort, one in each ClusterQueue, an early end", 1_000) {
    @Override
    GrowingCluster prepare(int size) {
      return promising(size, size, 2 * size, Backfill.ofDepth(1));
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      endEarly(cluster);
    }
  },
  /** The same for all workloads of one queue, which borrows from 99 others. */
  PROMISES_ONE_QUEUE("promised starts of one ClusterQueue, an early end", 1_000) {
    @Override
    GrowingCluster prepare(int size) {
      return promising(100, 1, size, Backfill.ofDepth(Backfill.UNLIMITED));
    }

    @Override
    void round(GrowingCluster cluster, int size) {
      endEarly(cluster);
    }
  };

  /** The minimum number of pending workloads in each queue with work. */
  private static final int BACKLOG = 10;

  private static final Settings FAIR_SHARING = Settings.builder().fairSharing().build();

  private final String title;
  private final ImmutableList<Integer> sizes;

  GrowthSeries(String title, int largest) {
    this(title, 10, largest);
  }

  GrowthSeries(String title, int smallest, int largest) {
    this.title = title;
    ImmutableList.Builder<Integer> steps = ImmutableList.builder();
    for (int size = smallest; size < largest; size *= 10) {
      steps.add(size);
    }
    this.sizes = steps.add(largest).build();
  }

  /** {@return the title} */
  String title() {
    return title;
  }

  /** {@return the sizes to measure} */
  ImmutableList<Integer> sizes() {
    return sizes;
  }

  /** {@return the cluster before the first round} */
  abstract GrowingCluster prepare(int size);

  /** The measured round. */
  abstract void round(GrowingCluster cluster, int size);

  /** {@return a cluster whose first queues, {@code busy} of them, are full and have a backlog} */
  private static GrowingCluster full(int queues, int queuesOfCohort, int busy) {
    GrowingCluster cluster = running(queues, queuesOfCohort, busy);
    submit(cluster, busy, busy * BACKLOG, 1);
    return cluster;
  }

  /**
   * {@return a cluster whose first queues, {@code busy} of them, are full, without pending
   * workloads}
   */
  private static GrowingCluster running(int queues, int queuesOfCohort, int busy) {
    GrowingCluster cluster = new GrowingCluster(queues, queuesOfCohort);
    submit(cluster, busy, busy * GrowingCluster.CPU_OF_QUEUE, 1);
    for (int i = 0; i < GrowingCluster.CPU_OF_QUEUE; i++) {
      cluster.cycle();
    }
    return cluster;
  }

  private static void submit(GrowingCluster cluster, int queues, int count, int cpu) {
    for (int i = 0; i < count; i++) {
      cluster.engine().submit(cluster.nextWorkload(i % queues, cpu, 0));
    }
  }

  private static void replaceOneOfEach(GrowingCluster cluster, int busy) {
    cluster.finish(busy);
    cluster.cycle().admitted().forEach(cluster::submitAnother);
  }

  /** {@return a full cohort whose first queues, {@code busy} of them, have pending workloads} */
  private static GrowingCluster promising(int queues, int busy, int pending, Backfill backfill) {
    GrowingCluster cluster =
        new GrowingCluster(queues, queues, Settings.builder().backfill(backfill).build());
    for (int i = 0; i < queues * GrowingCluster.CPU_OF_QUEUE + pending; i++) {
      cluster.submitWithLimit(i % busy);
    }
    cluster.settle();
    return cluster;
  }

  private static void endEarly(GrowingCluster cluster) {
    cluster.finish(1);
    cluster
        .cycle()
        .admitted()
        .forEach(admission -> cluster.submitWithLimit(GrowingCluster.queueOf(admission)));
    cluster.settle();
  }

  private static GrowingCluster lent(int queues, int queuesOfCohort, Settings settings) {
    GrowingCluster cluster = new GrowingCluster(queues, queuesOfCohort, settings);
    for (int i = 0; i < queues * GrowingCluster.CPU_OF_QUEUE; i++) {
      cluster.engine().submit(cluster.nextWorkload(i % queues / 2 * 2, 1, 0));
    }
    cluster.settle();
    return cluster;
  }

  private static void takeBack(GrowingCluster cluster, int queues) {
    ImmutableList.Builder<WorkloadId> owners = ImmutableList.builder();
    for (int queue = 1; queue < queues; queue += 2) {
      Workload owner = cluster.nextWorkload(queue, 1, 0);
      owners.add(owner.id());
      cluster.engine().submit(owner);
    }
    cluster.cycle();
    cluster.stopVictims();
    owners.build().forEach(cluster.engine()::delete);
    cluster.cycle();
  }
}
