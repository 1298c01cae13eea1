package io.kueue4j.core.flavor;

/**
 * The settings that the walk over flavors depends on.
 *
 * @param flavorFungibility whether the policies of {@code flavorFungibility} and the resume index
 *     count (F-26)
 * @param ignoresUndeclared whether resources that no group covers are passed over (F-5)
 * @param fairSharing whether quota is shared fairly, which lets a queue preempt while borrowing
 *     (F-16)
 * @param topologyAware whether a queue without flavors takes pods without requests for
 *     topology-aware ones (M-13)
 */
public record AssignmentRules(
    boolean flavorFungibility,
    boolean ignoresUndeclared,
    boolean fairSharing,
    boolean topologyAware) {}
