package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.fairness.UsageLedger;
import io.kueue4j.core.model.WorkloadId;
import org.jspecify.annotations.Nullable;

/**
 * What a state consists of besides its trees of cohorts and its workloads: a fork begins with it.
 *
 * @param settings the settings
 * @param catalog the names with their ids; nothing is added to it
 * @param configuration the configuration, which is not changed
 * @param usage what LocalQueues have used, which is not changed; null if that is not remembered
 * @param cycles how many cycles had something to try
 * @param failed the workloads of which a node has failed that is not replaced yet
 * @param unreturned the decisions that no call has returned yet
 * @param lifecycles what follows from the lives of all workloads together
 */
public record UndividedState(
    Settings settings,
    Catalog catalog,
    Configuration configuration,
    @Nullable UsageLedger usage,
    long cycles,
    ImmutableSortedSet<WorkloadId> failed,
    ImmutableList<Decision> unreturned,
    LifecycleRegistry.Summary lifecycles) {}
