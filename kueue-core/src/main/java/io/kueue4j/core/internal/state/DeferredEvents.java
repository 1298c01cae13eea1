package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.HopelessAttempts.Outlook;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.cycle.RoomHolder;
import io.kueue4j.core.internal.queue.ParkedShape;
import io.kueue4j.core.internal.quota.QuotaTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

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
  private record Parked(QueueState queue, List<ParkedShape> shapes) {
    QuotaTree tree() {
      return queue.quota().tree();
    }

    /** {@return the number of attempts that have not been left out} */
    int rest() {
      return shapes.size() - queue.attemptsSinceEvent();
    }

    /** {@return the number of attempts that fail before the first that must be made} */
    int failing() {
      int failing = queue.failing();
      while (failing < shapes.size() && Outlook.of(shapes.get(failing).bound()) != Outlook.OPEN) {
        failing++;
      }
      queue.setFailing(failing);
      return failing - queue.attemptsSinceEvent();
    }

    /** {@return whether the next attempt must be made} */
    boolean isNextOpen() {
      return rest() > 0 && failing() == 0;
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
    List<QueueState> added = new ArrayList<>(watching.size());
    Consumer<QueueState> event = event(now);
    for (QueueState queue : watching) {
      if (queue.attemptsSinceEvent() > 0) {
        queue.applyEvent();
      }
      if (!queue.isEventDeferred()) {
        queue.deferEvent(event);
        added.add(queue);
      }
    }
    deferred.addAll(added);
    context.changes().inverse(() -> {
      added.forEach(queue -> queue.deferEvent(null));
      deferred.removeAll(added);
    });
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
   * must be made in the cycle, and drops those after which nothing can succeed any more. Heads that
   * are not tried, but hold room beside others that are, are passed to the omission.
   */
  Omitted settle(Instant now) {
    if (deferred.isEmpty() && !omission.isOn()) {
      return Omitted.NONE;
    }
    omission.enterCycle();
    List<Parked> parked = takeParked();
    if (!omission.isOn()) {
      return Omitted.NONE;
    }
    Set<QuotaTree> promising = new HashSet<>();
    boolean hasHeads = findHeads(promising);
    findShapes(parked, promising);
    int skipped = hasHeads || promising.isEmpty() || omission.isAnyMoving() ? 0 : skip(parked);
    int most = 0;
    List<QueueState> dropped = new ArrayList<>();
    List<QueueState> kept = new ArrayList<>();
    for (Parked each : parked) {
      boolean moves = omission.isMoving(each.tree());
      if (each.isNextOpen() || (each.rest() > 0 && moves && !holdsRoom(each))) {
        each.queue.applyEvent();
      } else if (each.rest() > 0 && promising.contains(each.tree())) {
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

  /** Takes the queues with deferred events, and applies those that cannot be judged. */
  private List<Parked> takeParked() {
    Set<QueueState> taken = deferred;
    deferred = new LinkedHashSet<>();
    context.changes().inverse(() -> deferred = taken);
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

  /**
   * Adds the trees with active workloads to {@code promising}, since it is not known which of their
   * attempts follow; notifies the omission of those in which the next attempt must be made.
   *
   * @return whether there are any
   */
  private boolean findHeads(Set<QuotaTree> promising) {
    boolean any = false;
    for (QueueState queue : pending.queuesWithWork()) {
      Head head = queue.head();
      if (head != null) {
        QuotaTree tree = queue.quota().tree();
        any = true;
        promising.add(tree);
        if (!omission.isMoving(tree) && omission.isOpen(head)) {
          omission.moves(tree);
        }
      }
    }
    return any;
  }

  /** The same for the trees in which an attempt that an event would cause must be made. */
  private void findShapes(List<Parked> parked, Set<QuotaTree> promising) {
    for (Parked each : parked) {
      int failing = each.failing();
      if (failing < each.rest()) {
        promising.add(each.tree());
        if (failing == 0) {
          omission.moves(each.tree());
        }
      }
    }
  }

  /**
   * Leaves out all attempts before the first that must be made, if there are no others;
   * {@return the number of cycles}
   */
  private int skip(List<Parked> parked) {
    int cycles = Integer.MAX_VALUE;
    for (Parked each : parked) {
      int failing = each.failing();
      if (failing < each.rest()) {
        cycles = Math.min(cycles, failing);
      }
    }
    int[] before = new int[parked.size()];
    for (int i = 0; i < before.length; i++) {
      Parked each = parked.get(i);
      before[i] = each.queue.attemptsSinceEvent();
      each.queue.leaveOut(Math.min(cycles, each.rest()));
      if (each.isNextOpen()) {
        omission.moves(each.tree());
      }
    }
    context.changes().inverse(() -> {
      for (int i = 0; i < before.length; i++) {
        parked.get(i).queue.setAttemptsSinceEvent(before[i]);
      }
    });
    return cycles;
  }

  /**
   * Lets the next head of a queue hold room in the cycle if it does without being tried;
   * {@return false if it must be tried}
   */
  private boolean holdsRoom(Parked parked) {
    ParkedShape next = parked.shapes.get(parked.queue.attemptsSinceEvent());
    if (next.bound().isMissed()) {
      return true;
    }
    RoomHolder holder = RoomHolder.of((Head) next.first(), next.bound());
    if (holder.isOverLimit()) {
      return false;
    }
    omission.addHolder(holder);
    return true;
  }

  private void leaveOut(List<QueueState> dropped, List<QueueState> kept, Instant now) {
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
