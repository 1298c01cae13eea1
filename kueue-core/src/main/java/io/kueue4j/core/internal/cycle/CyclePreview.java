package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.flavor.QuotaBound;
import io.kueue4j.core.internal.quota.QuotaTree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Predicts which heads of one tree the next cycle admits, by the bounds on the quota that they
 * need. The tree is unchanged after a prediction.
 *
 * <p>That is possible if each bound decides: then a head does not fit; or waits and holds room; or
 * fits, and is admitted unless those before it leave too little.
 *
 * <p>Rules: S-18.
 */
public final class CyclePreview {
  /** How an attempt of a head would end if it were the only one. */
  public enum Kind {
    /** It fits. */
    OPEN,
    /** It fails and holds room for the rest of the cycle. */
    WAITS,
    /** It fails without an effect on others. */
    MISSES,
    /** More is to be considered than the bound. */
    UNKNOWN
  }

  /** A head and how its attempt would end. */
  public record Prospect(Kind kind, BoundedHead head) {
    /** {@return the prospect of a head with a bound, in the present state of its tree} */
    public static Prospect of(Head head, QuotaBound bound) {
      return of(head, bound, bound.isExceeded());
    }

    /**
     * {@return the prospect of a head with a bound, of which it is known whether it is exceeded}
     */
    public static Prospect of(Head head, QuotaBound bound, boolean isExceeded) {
      Kind kind = Kind.OPEN;
      if (!bound.isDecisive()) {
        kind = bound.isMissed() ? Kind.MISSES : Kind.UNKNOWN;
      } else if (isExceeded) {
        kind = bound.isMissed() ? Kind.MISSES : Kind.WAITS;
      }
      boolean counts = kind == Kind.OPEN || kind == Kind.WAITS;
      return new Prospect(
          kind, counts ? BoundedHead.of(head, bound) : new BoundedHead(head, bound, 0));
    }

    /** {@return whether the head fails in any case} */
    public boolean fails() {
      return kind == Kind.WAITS || kind == Kind.MISSES;
    }
  }

  private final QuotaTree tree;
  private final CycleRules rules;
  private final List<BoundedHead> open = new ArrayList<>();
  private final List<BoundedHead> waiting = new ArrayList<>();
  private boolean isUnknown;
  private boolean isPromising;

  /** The heads that are admitted, null if they have not been determined. */
  private @Nullable List<Head> admitted;

  /** Creates a preview without heads. */
  public CyclePreview(QuotaTree tree, CycleRules rules) {
    this.tree = tree;
    this.rules = rules;
  }

  /** {@return whether it is the preview for a tree} */
  @SuppressWarnings("ReferenceEquality") // trees have no equals
  public boolean isOf(QuotaTree other) {
    return tree == other;
  }

  /** Adds a head that cannot be judged. */
  public void addUnknown() {
    isUnknown = true;
  }

  /** Adds a head. */
  public void add(Prospect prospect) {
    BoundedHead head = prospect.head();
    switch (prospect.kind()) {
      case OPEN -> open.add(head);
      case WAITS -> waiting.add(head);
      case UNKNOWN -> isUnknown = true;
      case MISSES -> {}
    }
    isUnknown |= prospect.kind() == Kind.WAITS && head.isOverLimit();
  }

  /** Records that a head may be admitted in a later cycle, before the next event of the tree. */
  public void promise() {
    isPromising = true;
  }

  /** {@return whether a head may be admitted in this or a later cycle} */
  public boolean isPromising() {
    return isPromising || isUnknown || !open.isEmpty();
  }

  /** {@return whether it is not known which heads are admitted} */
  public boolean isUnknown() {
    return isUnknown;
  }

  /** {@return whether no head is admitted for certain} */
  public boolean isStill() {
    return !isUnknown && admitted().isEmpty();
  }

  /** {@return whether a head fits before the others take or hold quota} */
  public boolean hasOpen() {
    return !open.isEmpty();
  }

  /** {@return whether a head that fits at first may be admitted} */
  public boolean mayAdmit(Head head) {
    return isUnknown || admitted().contains(head);
  }

  /** {@return the heads that wait and hold room} */
  public List<BoundedHead> waiting() {
    return waiting;
  }

  private List<Head> admitted() {
    List<Head> known = admitted;
    if (known == null) {
      known = open.isEmpty() ? List.of() : predict();
      admitted = known;
    }
    return known;
  }

  private List<Head> predict() {
    int checkpoint = tree.checkpoint();
    try {
      List<BoundedHead> later = waiting;
      List<BoundedHead> contenders = open;
      if (!hasNonBorrowing(open)) {
        // What does not borrow comes first, and often leaves nothing.
        later = new ArrayList<>(waiting.size());
        for (BoundedHead head : waiting) {
          if (head.borrowLevel() == 0) {
            head.reserve();
          } else {
            later.add(head);
          }
        }
        contenders = new ArrayList<>();
        for (BoundedHead head : open) {
          if (!head.bound().isExceeded()) {
            contenders.add(head);
          }
        }
      }
      return contenders.isEmpty() ? List.of() : process(contenders, later);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  private static boolean hasNonBorrowing(List<BoundedHead> heads) {
    for (BoundedHead head : heads) {
      if (head.borrowLevel() == 0) {
        return true;
      }
    }
    return false;
  }

  private List<Head> process(List<BoundedHead> contenders, List<BoundedHead> later) {
    List<BoundedHead> sorted = sorted(contenders);
    List<BoundedHead> holders = sorted(later);
    List<Head> fitting = new ArrayList<>();
    int holder = 0;
    for (BoundedHead head : sorted) {
      while (holder < holders.size() && compare(holders.get(holder), head) < 0) {
        holders.get(holder).reserve();
        holder++;
      }
      if (!head.bound().isExceeded()) {
        head.use();
        fitting.add(head.head());
      }
    }
    return fitting;
  }

  private int compare(BoundedHead a, BoundedHead b) {
    return Entry.compare(a.head(), a.borrowLevel(), b.head(), b.borrowLevel(), rules);
  }

  private List<BoundedHead> sorted(List<BoundedHead> heads) {
    if (heads.size() < 2) {
      return heads;
    }
    List<BoundedHead> sorted = new ArrayList<>(heads);
    sorted.sort(this::compare);
    return sorted;
  }
}
