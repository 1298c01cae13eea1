package io.kueue4j.core.internal.state;

import static com.google.common.base.MoreObjects.firstNonNull;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.cycle.BoundedHead;
import io.kueue4j.core.internal.cycle.CyclePreview;
import io.kueue4j.core.internal.cycle.CycleRules;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.HopelessAttempts;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.flavor.FlavorTable;
import io.kueue4j.core.internal.flavor.QuotaBound;
import io.kueue4j.core.internal.queue.ParkedShape;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.QueueingStrategy;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides which attempts of workloads a cycle leaves out, because they could only fail and their
 * results are not needed: none unless {@link #begin} was called.
 *
 * <p>Attempts are left out only where that shows in nothing but the attempts themselves: the other
 * workloads are tried in the same cycles and with the same results. For that, quota must become
 * available by events alone, no attempt may affect those of other ClusterQueues unless it admits,
 * and a cycle must try all heads.
 */
public final class AttemptOmission implements HopelessAttempts.ConfigurationRules {
  private final StateContext context;
  private final Configuration configuration;
  private final QueueStore queues;
  private final HopelessAttempts hopeless;
  private final CycleRules cycleRules;
  private boolean begun;

  /** Counts the changes of the configuration. */
  private int version = 1;

  /** Whether the configuration allows it, null if unknown. */
  private @Nullable Boolean allowed;

  private int queuesSeen;

  /** Whether the first attempt after an event is left out without popping the head. */
  private boolean omitsQueues = true;

  /** What is known of the present cycle, by tree. */
  private final Map<QuotaTree, CyclePreview> previews = new LinkedHashMap<>();

  private final Function<QuotaTree, CyclePreview> newPreview;

  /** The preview that was asked for last. */
  private @Nullable CyclePreview lastPreview;

  /** The heads whose attempts were left out in the last call. */
  private final List<Head> omitted = new ArrayList<>();

  AttemptOmission(StateContext context, Configuration configuration, QueueStore queues) {
    this.context = context;
    this.configuration = configuration;
    this.queues = queues;
    EngineRules rules = new EngineRules(context.settings());
    this.cycleRules = rules.cycle();
    this.newPreview = tree -> new CyclePreview(tree, cycleRules);
    this.hopeless = new HopelessAttempts(rules.assignment(), cycleRules);
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public boolean mayUse(ClusterQueue queue, String namespace) {
    return configuration.mayUse(queue, namespace);
  }

  @Override
  public @Nullable FlavorTable flavors() {
    return configuration.inventories().isUsed() || configuration.fleets().isUsed()
        ? null
        : configuration.flavors();
  }

  /** Leaves attempts out from now on. */
  public void begin() {
    begun = true;
  }

  /** Leaves no attempts out from now on. */
  public void end() {
    begun = false;
  }

  /** Takes notice of a workload that is added: an elastic slice may release quota of another. */
  void added(Workload workload) {
    if (workload.elastic() || workload.replaces().isPresent()) {
      end();
    }
  }

  /** {@return whether attempts are left out, with the present configuration} */
  public boolean isOn() {
    if (!begun) {
      return false;
    }
    if (allowed == null || queuesSeen != queues.loaded().size()) {
      queuesSeen = queues.loaded().size();
      allowed = isAllowed();
    }
    return firstNonNull(allowed, false);
  }

  /** Looks at the configuration anew, which has changed or is about to. */
  public void configurationChanged() {
    allowed = null;
    version++;
    if (begun) {
      for (QueueState queue : queues.loaded()) {
        queue.pending().forgetBounds();
      }
    }
  }

  private boolean isAllowed() {
    return context.settings().fairSharing().isEmpty()
        && context.settings().isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING)
        && context.podsReadyPolicy().isEmpty()
        && !configuration.hasStoppedLocalQueue()
        && queues.loaded().stream()
            .allMatch(queue -> isAllowed(queue.quota().compiled().source()));
  }

  private static boolean isAllowed(ClusterQueue queue) {
    return queue.queueingStrategy() == QueueingStrategy.BEST_EFFORT_FIFO
        && queue.preemption().equals(Preemption.NEVER)
        && queue.concurrentAdmissionPolicy().isEmpty();
  }

  /**
   * Sets whether the first attempt in a queue after an event may be left out, and with it those
   * that follow, without popping its head; initially it may.
   */
  public void setOmitsQueues(boolean omitsQueues) {
    this.omitsQueues = omitsQueues;
  }

  /**
   * {@return the shapes that the deferred event of a queue makes be tried, one in each cycle; null
   * if all of these attempts must be made}
   */
  @Nullable
  List<ParkedShape> shapes(QueueState queue) {
    boolean mayOmit = isOn() && (omitsQueues || queue.attemptsSinceEvent() > 0);
    return mayOmit ? hopeless.shapes(queue, this) : null;
  }

  /** Begins a cycle, of which nothing is known yet. */
  void enterCycle() {
    if (!previews.isEmpty()) {
      previews.clear();
      lastPreview = null;
    }
  }

  /** {@return the preview of the cycle for a tree} */
  CyclePreview preview(QuotaTree tree) {
    CyclePreview last = lastPreview;
    if (last == null || !last.isOf(tree)) {
      last = previews.computeIfAbsent(tree, newPreview);
      lastPreview = last;
    }
    return last;
  }

  /** {@return the previews of the cycle for all trees with heads} */
  Collection<CyclePreview> previews() {
    return previews.values();
  }

  /** {@return the bound of the head of a queue, null if more is to be considered than quota} */
  @Nullable
  QuotaBound bound(Head head) {
    return hopeless.bound(head, this);
  }

  /** {@return the heads that only hold room in the cycle, beside others that are tried} */
  public List<BoundedHead> holders() {
    List<BoundedHead> holders = new ArrayList<>();
    for (CyclePreview preview : previews.values()) {
      if (!preview.isStill()) {
        for (BoundedHead waiting : preview.waiting()) {
          if (!preview.isUnknown() || waiting.head().queue().isEventDeferred()) {
            holders.add(waiting);
          }
        }
      }
    }
    return holders;
  }

  /**
   * {@return whether the head of a queue stays there in the cycle, because others leave too little
   * of the quota that it needs}
   */
  public boolean isRetried(QueueState queue) {
    if (previews.isEmpty()) {
      return false;
    }
    Head head = queue.head();
    if (head == null) {
      return false;
    }
    QuotaBound bound = bound(head);
    boolean retried = bound != null
        && !bound.isMissed()
        && !bound.isExceeded()
        && !preview(queue.quota().tree()).mayAdmit(head);
    if (retried) {
      omitted.add(head);
    }
    return retried;
  }

  /** Records that the attempt of a head was left out. */
  void noteOmitted(Head head) {
    omitted.add(head);
  }

  /**
   * {@return whether the attempt of a popped head is left out: it does not fit, and if it holds
   * room, it does so without being tried}
   */
  public boolean omits(Head head) {
    if (!isOn()) {
      return false;
    }
    QuotaBound bound = bound(head);
    boolean omits = bound != null
        && (bound.isMissed()
            || (bound.isExceeded() && !preview(head.queue().quota().tree()).isUnknown()));
    if (omits) {
      omitted.add(head);
    }
    return omits;
  }

  /** {@return the heads whose attempts were left out since the last call} */
  public List<Head> takeOmitted() {
    if (omitted.isEmpty()) {
      return List.of();
    }
    List<Head> taken = List.copyOf(omitted);
    omitted.clear();
    return taken;
  }
}
