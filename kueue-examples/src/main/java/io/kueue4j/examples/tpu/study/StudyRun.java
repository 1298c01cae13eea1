package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * One simulation: jobs arrive, are placed or not, and end. The time before a tenth of the jobs have
 * arrived is not counted.
 */
final class StudyRun {
  private static final int WARM_UP = 10;

  /** A running job and its end. */
  private record Running(StudyJob job, double end) {}

  private final StudyPlacer placer;
  private final ImmutableList<StudyJob> jobs;
  private final StudyCounts counts;
  private final PriorityQueue<Running> running =
      new PriorityQueue<>(Comparator.comparingDouble(Running::end)
          .thenComparingInt(each -> each.job().number()));

  private double now;
  private long busyChips;

  private StudyRun(StudyPlacer placer, ImmutableList<StudyJob> jobs, long chips) {
    this.placer = placer;
    this.jobs = jobs;
    this.counts = new StudyCounts(chips);
  }

  /** {@return the result for jobs that are lost if they cannot start on arrival} */
  static StudyCounts lossSystem(StudyPlacer placer, ImmutableList<StudyJob> jobs, long chips) {
    StudyRun run = new StudyRun(placer, jobs, chips);
    for (StudyJob job : jobs) {
      run.endUntil(job.arrival());
      if (job.number() == jobs.size() / WARM_UP) {
        run.counts.begin(placer);
      }
      run.offer(job);
    }
    run.counts.finish(placer);
    return run.counts;
  }

  /**
   * {@return the result for a constant number of waiting jobs, the window; after each end the
   * window is searched in order, and every job that fits starts}
   */
  static StudyCounts backlog(
      StudyPlacer placer, ImmutableList<StudyJob> jobs, int window, long chips) {
    StudyRun run = new StudyRun(placer, jobs, chips);
    run.playBacklog(window);
    return run.counts;
  }

  private void playBacklog(int window) {
    Deque<StudyJob> coming = new ArrayDeque<>(jobs);
    List<StudyJob> waiting = new ArrayList<>();
    boolean warm = false;
    while (true) {
      if (!warm && coming.size() <= jobs.size() - jobs.size() / WARM_UP) {
        warm = true;
        counts.begin(placer);
      }
      startWaiting(waiting, coming, window);
      if (coming.isEmpty()) {
        counts.finish(placer);
        return;
      }
      endUntil(running.element().end());
    }
  }

  private void startWaiting(List<StudyJob> waiting, Deque<StudyJob> coming, int window) {
    // Free capacity only shrinks while jobs start, so a shape that did not fit need not be tried
    // again unless slices have moved.
    Set<SliceShape> tooLarge = new HashSet<>();
    int next = 0;
    while (true) {
      while (waiting.size() < window && !coming.isEmpty()) {
        waiting.add(coming.remove());
      }
      if (next >= waiting.size()) {
        return;
      }
      StudyJob job = waiting.get(next);
      int moves = placer.moves();
      if (tooLarge.contains(job.shape())) {
        next++;
      } else if (offer(job)) {
        waiting.remove(next);
        if (placer.moves() > moves) {
          tooLarge.clear();
          next = 0;
        }
      } else {
        tooLarge.add(job.shape());
        next++;
      }
    }
  }

  private boolean offer(StudyJob job) {
    long begin = System.nanoTime();
    boolean placed = placer.place(job);
    counts.offered(job.shape().chips(), placed, System.nanoTime() - begin);
    if (placed) {
      running.add(new Running(job, now + job.duration()));
      busyChips += job.shape().chips();
    }
    return placed;
  }

  private void endUntil(double time) {
    while (!running.isEmpty() && running.element().end() <= time) {
      Running ended = running.remove();
      advance(ended.end());
      placer.end(ended.job());
      busyChips -= ended.job().shape().chips();
    }
    advance(time);
  }

  private void advance(double time) {
    counts.passed(time - now, busyChips);
    now = time;
  }
}
