package io.kueue4j.core.internal.compiled;

/**
 * An object that stands for its name: within one {@link Catalog} equal names are one object, so
 * that identity compares them. Immutable.
 */
public abstract sealed class Interned permits ResourceName, FlavorResource {
  /** Depends on the name only, so that it is the same in every run. */
  final int hash;

  Interned(int hash) {
    this.hash = hash;
  }

  @Override
  public final int hashCode() {
    return hash;
  }
}
