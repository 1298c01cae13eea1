package io.kueue4j.core.quota;

/**
 * What a workload takes beside quota: charged and taken back together with it.
 *
 * <p>Changes on trial are undone by a {@link Journal}.
 */
public interface Footprint {
  /** The footprint of a workload that takes nothing but quota. */
  Footprint NONE = new Footprint() {
    @Override
    public void charge() {}

    @Override
    public void uncharge() {}

    @Override
    public void commit() {}

    @Override
    public void withdraw() {}
  };

  /** Adds it on trial. */
  void charge();

  /** Takes it back on trial. */
  void uncharge();

  /** Adds it for good. */
  void commit();

  /** Takes it back for good. */
  void withdraw();
}
