package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.cycle.CyclePreview;
import io.kueue4j.core.internal.cycle.CyclePreview.Kind;
import io.kueue4j.core.internal.cycle.CyclePreview.Prospect;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.flavor.QuotaBound;
import io.kueue4j.core.internal.queue.ParkedShape;
import io.kueue4j.core.internal.quota.QuotaTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requeue events of queues whose attempts may be left out. An event is applied when the queue
 * is needed, or before the first cycle in which an attempt of the queue must be made; it is dropped
 * if there is no such cycle.
 *
 * <p>An event makes each shape of a queue be tried once, in one cycle after another. The numbers of
 * these attempts are counted ({@link QueueState#attemptsSinceEvent}), so that all queues of a tree
 * stay in step.
 */
final class DeferredEvents {
  private final StateContext context;
  private final PendingWorkloads pending;
  private final AttemptOmission omission;
  private final BiConsumer<QueueState, Instant> requeue;

  /** The queues with deferred events, and some whose events were applied since. */
  private Set<QueueState> deferred = new LinkedHashSet<>();

  /**
   * What is left out.
   *
   * @param cycles the number of cycles before the next one, which consist of such attempts alone
   * @param attempts the largest number of attempts, one in the next and in each of the following
   *     cycles, that are left out in a queue
   */
  record Omitted(int cycles, int attempts) {
    static final Omitted NONE = new Omitted(0, 0);
  }

  /** A queue with the shapes that its event makes be tried. */
  private static final class Parked {
    private final QueueState queue;
    private final List<ParkedShape> shapes;

    /** How the attempts would end, as far as it was asked. */
    private final @Nullable Prospect[] prospects;

    /** What is available to the queue now by column, negative where it was not asked. */
    private final long[] available;

    Parked(QueueState queue, List<ParkedShape> shapes) {
      this.queue = queue;
      this.shapes = shapes;
      this.prospects = new @Nullable Prospect[shapes.size()];
      this.available = new long[tree().columnCount()];
      Arrays.fill(available, -1);
    }

    QuotaTree tree() {
      return queue.quota().tree();
    }

    /** {@return the number of attempts that have not been left out} */
    int rest() {
      return shapes.size() - queue.attemptsSinceEvent();
    }

    /** {@return the number of attempts that fail before the first that may succeed} */
    int failing() {
      int failing = queue.failing();
      while (failing < shapes.size() && prospect(failing).fails()) {
        failing++;
      }
      queue.setFailing(failing);
      return failing - queue.attemptsSinceEvent();
    }

    /** {@return whether the next attempt may succeed} */
    boolean isNextOpen() {
      return rest() > 0 && failing() == 0;
    }

    /** {@return how the next attempt would end} */
    Prospect next() {
      return prospect(queue.attemptsSinceEvent());
    }

    /** {@return the head of the next attempt} */
    Head head() {
      return next().head().head();
    }

    private Prospect prospect(int attempt) {
      Prospect known = prospects[attempt];
      if (known == null) {
        ParkedShape shape = shapes.get(attempt);
        QuotaBound bound = shape.bound();
        known = Prospect.of((Head) shape.first(), bound, bound.isExceeded(available));
        prospects[attempt] = known;
      }
      return known;
    }
  }

  /**
   * Creates an instance.
   *
   * @param requeue applies an event to a queue
   */
  DeferredEvents(
      StateContext context,
      PendingWorkloads pending,
      AttemptOmission omission,
      BiConsumer<QueueState, Instant> requeue) {
    this.context = context;
    this.pending = pending;
    this.omission = omission;
    this.requeue = requeue;
  }

  /** Defers an event of some queues. */
  void defer(List<QueueState> watching, Instant now) {
    Consumer<QueueState> event = event(now);
    for (QueueState queue : watching) {
      if (queue.attemptsSinceEvent() > 0) {
        queue.applyEvent();
      }
      if (!queue.isEventDeferred()) {
        context.changes().inverse(QueueState::deferEvent, queue, null);
        queue.deferEvent(event);
        if (deferred.add(queue)) {
          context.changes().inverse(Set::remove, deferred, queue);
        }
      }
    }
  }

  /** {@return an event that takes the attempts into account that were left out since} */
  private Consumer<QueueState> event(Instant now) {
    return queue -> {
      int attempts = queue.attemptsSinceEvent();
      context.changes().inverse(() -> {
        queue.deferEvent(event(now));
        queue.setAttemptsSinceEvent(attempts);
      });
      queue.setAttemptsSinceEvent(0);
      requeue.accept(queue, now);
      for (int i = 0; i < attempts; i++) {
        pending.parkUntried(Objects.requireNonNull(pending.popHead(queue)), now);
      }
    };
  }

  /**
   * Decides before a cycle on the deferred events: applies those of the queues of which an attempt
   * must be made in the cycle, and drops those after which nothing can succeed any more.
   */
  Omitted settle(Instant now) {
    omission.enterCycle();
    if (deferred.isEmpty() && !omission.isOn()) {
      return Omitted.NONE;
    }
    // Loads all trees with work first, which may end the omission.
    boolean isAlone = pending.queuesWithWork().size() <= 1;
    if (deferred.isEmpty() && (isAlone || !omission.isOn())) {
      // A head that is alone in a cycle is judged when it is popped.
      return Omitted.NONE;
    }
    List<Parked> parked = takeParked();
    if (!omission.isOn()) {
      return Omitted.NONE;
    }
    preview(parked);
    List<Head> heads = previewHeads();
    int skipped = skip(parked, heads, now);
    int most = 0;
    List<QueueState> dropped = new ArrayList<>();
    List<QueueState> kept = new ArrayList<>();
    for (Parked each : parked) {
      CyclePreview preview = omission.preview(each.tree());
      if (each.isNextOpen() && !preview.mayAdmit(each.head())) {
        omission.noteOmitted(each.head());
        deferred.add(each.queue);
      } else if (each.isNextOpen() || mustBeTried(each, preview)) {
        each.queue.applyEvent();
      } else if (each.rest() > 0 && preview.isPromising()) {
        most = Math.max(most, 1);
        kept.add(each.queue);
      } else {
        most = Math.max(most, each.rest());
        dropped.add(each.queue);
      }
    }
    leaveOut(dropped, kept, now);
    return new Omitted(skipped, most);
  }

  /** {@return whether a head that waits, among others of which not all can be judged, is tried} */
  private static boolean mustBeTried(Parked parked, CyclePreview preview) {
    return parked.rest() > 0
        && preview.isUnknown()
        && parked.next().kind() == Kind.WAITS
        && parked.next().head().isOverLimit();
  }

  /** Takes the queues with deferred events, and applies those that cannot be judged. */
  private List<Parked> takeParked() {
    Set<QueueState> taken = deferred;
    deferred = new LinkedHashSet<>();
    context.changes().inverse(DeferredEvents::putDeferred, this, taken);
    // Loads all of them first, which may end the omission.
    taken.forEach(QueueState::load);
    List<Parked> parked = new ArrayList<>(taken.size());
    for (QueueState queue : taken) {
      if (queue.isEventDeferred()) {
        List<ParkedShape> shapes = omission.shapes(queue);
        if (shapes == null) {
          queue.applyEvent();
        } else {
          parked.add(new Parked(queue, shapes));
        }
      }
    }
    return parked;
  }

  private void putDeferred(Set<QueueState> others) {
    deferred = others;
  }

  /** Previews the next cycle of the parked queues. */
  private void preview(List<Parked> parked) {
    for (Parked each : parked) {
      if (each.rest() > 0) {
        CyclePreview preview = omission.preview(each.tree());
        preview.add(each.next());
        if (each.failing() < each.rest()) {
          preview.promise();
        }
      }
    }
  }

  /**
   * Previews the next cycle of the queues with active workloads; {@return their heads that fail}
   */
  private List<Head> previewHeads() {
    List<Head> failing = new ArrayList<>();
    for (QueueState queue : pending.queuesWithWork()) {
      Head head = queue.head();
      if (head != null) {
        CyclePreview preview = omission.preview(queue.quota().tree());
        QuotaBound bound = omission.bound(head);
        if (bound == null) {
          preview.addUnknown();
        } else {
          Prospect prospect = Prospect.of(head, bound);
          preview.add(prospect);
          if (prospect.fails()) {
            failing.add(head);
          }
        }
        // Which attempts follow is not known.
        preview.promise();
      }
    }
    return failing;
  }

  /**
   * Leaves out the cycles in which nothing is admitted; {@return their number}
   *
   * @param parked the queues with deferred events
   * @param heads the heads of other queues that fail in the next cycle
   */
  private int skip(List<Parked> parked, List<Head> heads, Instant now) {
    if (!isStill()) {
      return 0;
    }
    int[] before =
        parked.stream().mapToInt(each -> each.queue.attemptsSinceEvent()).toArray();
    context.changes().inverse(() -> {
      for (int i = 0; i < before.length; i++) {
        parked.get(i).queue.setAttemptsSinceEvent(before[i]);
      }
    });
    List<Head> failing = heads;
    int skipped = 0;
    do {
      int cycles = failing.isEmpty() ? stillCycles(parked) : 1;
      for (Parked each : parked) {
        if (each.rest() > 0 && !each.isNextOpen()) {
          each.queue.leaveOut(Math.min(cycles, each.rest()));
        }
      }
      for (Head head : failing) {
        omission.noteOmitted(head);
        pending.take(head);
        pending.parkUntried(head, now);
      }
      skipped += cycles;
      omission.enterCycle();
      preview(parked);
      failing = previewHeads();
    } while (isStill());
    return skipped;
  }

  /** {@return whether nothing is admitted in the next cycle, but may be in a later one} */
  private boolean isStill() {
    boolean isPromising = false;
    for (CyclePreview preview : omission.previews()) {
      if (!preview.isStill()) {
        return false;
      }
      isPromising |= preview.isPromising();
    }
    return isPromising;
  }

  /** {@return the number of cycles, from the next one on, in which nothing can be admitted} */
  private int stillCycles(List<Parked> parked) {
    for (CyclePreview preview : omission.previews()) {
      if (preview.hasOpen()) {
        // It may be admitted as soon as fewer heads hold room.
        return 1;
      }
    }
    int cycles = Integer.MAX_VALUE;
    for (Parked each : parked) {
      if (each.failing() < each.rest()) {
        cycles = Math.min(cycles, each.failing());
      }
    }
    return cycles;
  }

  private void leaveOut(List<QueueState> dropped, List<QueueState> kept, Instant now) {
    if (dropped.isEmpty() && kept.isEmpty()) {
      return;
    }
    int[] attempts = dropped.stream().mapToInt(QueueState::attemptsSinceEvent).toArray();
    dropped.forEach(queue -> queue.deferEvent(null));
    kept.forEach(queue -> queue.leaveOut(1));
    deferred.addAll(kept);
    context.changes().inverse(() -> {
      kept.forEach(queue -> queue.setAttemptsSinceEvent(queue.attemptsSinceEvent() - 1));
      for (int i = 0; i < attempts.length; i++) {
        dropped.get(i).deferEvent(event(now));
        dropped.get(i).setAttemptsSinceEvent(attempts[i]);
      }
    });
  }
}
