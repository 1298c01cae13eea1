package io.kueue4j.core.topology;

/**
 * The settings that placement depends on.
 *
 * <p>Rules: T-12, T-29, T-53, T-61, A.20.
 *
 * @param mixedProfile whether pods without constraint take the smallest domains first
 * @param balanced whether pods with a preference are spread evenly over as few domains as suffice
 * @param respectsPreferredAffinity whether domains are liked by the preferred node affinity of pods
 * @param overlappingFlavors whether a host that belongs to several flavors is charged for all
 * @param strict whether Kueue's known defects are mended
 */
public record PlacementRules(
    boolean mixedProfile,
    boolean balanced,
    boolean respectsPreferredAffinity,
    boolean overlappingFlavors,
    boolean strict) {
  /** Kueue's defaults. */
  public static final PlacementRules DEFAULT = new PlacementRules(true, false, false, true, false);
}
