package io.kueue4j.core.quota;

/** Something whose changes can be undone. Trials are nested: what is begun last ends first. */
public interface Journal {
  /** The journal of what never changes. */
  Journal NONE = new Journal() {
    @Override
    public int checkpoint() {
      return 0;
    }

    @Override
    public void rollback(int checkpoint) {}
  };

  /** Begins a trial. {@return a mark to {@link #rollback} to} */
  int checkpoint();

  /** Ends the trial that began with {@code checkpoint}: everything is as it was then. */
  void rollback(int checkpoint);
}
