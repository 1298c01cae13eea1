package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.fairness.UsageLedger;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a state other than its trees of cohorts and its workloads. A fork starts from it.
 *
 * @param settings the settings
 * @param catalog the names in use
 * @param configuration the configuration, which is not changed
 * @param usage the usage of LocalQueues, which is not changed; null if usage is not recorded
 * @param cycles the number of cycles that had something to try
 * @param failed the workloads with a failed node that has not been replaced yet
 * @param unreturned the decisions that no call has returned yet
 * @param lifecycles the summary of the lifecycles of all workloads
 * @param firstRelease a time before which no backoff ends, null if none ever ends
 */
public record UndividedState(
    Settings settings,
    Catalog catalog,
    Configuration configuration,
    @Nullable UsageLedger usage,
    long cycles,
    ImmutableSortedSet<WorkloadId> failed,
    ImmutableList<Decision> unreturned,
    LifecycleRegistry.Summary lifecycles,
    @Nullable Instant firstRelease) {}
