package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;

/**
 * The settings of the search over flavors.
 *
 * @param flavorFungibility whether the policies of {@code flavorFungibility} and the resume index
 *     apply (F-26)
 * @param ignoresUndeclared whether resources that no group covers are ignored (F-5)
 * @param fairSharing whether fair sharing is on, which lets a queue preempt while borrowing (F-16)
 * @param topologyAware whether pods without requests in a queue without flavors are treated as
 *     topology-aware (M-13)
 * @param prefersRoomForOnePod whether pod sets without pods get, if there is one, a flavor with
 *     room for a pod of each (F-35)
 */
public record AssignmentRules(
    boolean flavorFungibility,
    boolean ignoresUndeclared,
    boolean fairSharing,
    boolean topologyAware,
    boolean prefersRoomForOnePod) {
  /** {@return these settings of an engine} */
  public static AssignmentRules of(Settings settings) {
    return new AssignmentRules(
        settings.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY),
        settings.quotaCheckStrategy() == Settings.QuotaCheckStrategy.IGNORE_UNDECLARED,
        settings.fairSharing().isPresent(),
        settings.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING),
        settings.includes(KueueFix.ROOM_FOR_EMPTY_POD_SETS));
  }
}
