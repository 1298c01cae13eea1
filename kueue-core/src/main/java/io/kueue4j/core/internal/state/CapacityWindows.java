package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.Timers;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.internal.versioned.VersionedSet;
import io.kueue4j.core.model.CapacityWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The capacity windows in force, and when they end.
 *
 * <p>Rules: PS-10, PS-13.
 */
public final class CapacityWindows {
  private static final Comparator<CapacityWindow> ORDER =
      Comparator.comparing(CapacityWindow::start).thenComparing(CapacityWindow::name);

  private final VersionedMap<String, CapacityWindow> byName;
  private final VersionedSet<CapacityWindow> inOrder;

  /** The ends of the windows that are not over. */
  private final Timers<String> ends;

  CapacityWindows(Journal journal) {
    this.byName = new VersionedMap<>(journal);
    this.inOrder = new VersionedSet<>(journal, ORDER);
    this.ends = new Timers<>(journal);
  }

  /** Takes the windows of another state. */
  void share(CapacityWindows origin) {
    byName.share(origin.byName);
    inOrder.share(origin.inOrder);
    ends.share(origin.ends);
  }

  /** {@return whether there are none} */
  public boolean isEmpty() {
    return byName.isEmpty();
  }

  /** {@return all windows by begin, then by name, those that are over included} */
  public List<CapacityWindow> all() {
    return inOrder.isEmpty() ? List.of() : inOrder.toList();
  }

  /** {@return the window with this name, empty if there is none} */
  public Optional<CapacityWindow> get(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * Sets a window, null to remove it.
   *
   * @return whether there was one
   */
  boolean set(String name, @Nullable CapacityWindow window) {
    CapacityWindow before = byName.set(name, window);
    if (before != null) {
      inOrder.remove(before);
    }
    if (window != null) {
      inOrder.add(window);
    }
    ends.set(name, window == null ? null : window.end());
    return before != null;
  }

  /** {@return when the next window ends} */
  public Optional<Instant> nextEnd() {
    return ends.next();
  }

  /** {@return the windows that have ended since the last call} */
  List<CapacityWindow> takeEnded(Instant now) {
    List<CapacityWindow> ended = new ArrayList<>();
    for (String name : ends.due(now)) {
      ends.set(name, null);
      ended.add(Objects.requireNonNull(byName.get(name)));
    }
    return ended;
  }
}
