package io.kueue4j.examples.controller.state;

import io.kueue4j.core.model.Admission;
import java.util.Optional;

/** What the controller remembers about the recorded admission of one job. */
public final class AdmissionMemory {
  /** The last admission that was read and that the controller has not removed. */
  private Optional<RecordedAdmission> inForce = Optional.empty();

  private Optional<Admission> own = Optional.empty();
  private boolean isRemoving;
  private String reported = "";

  public Optional<RecordedAdmission> inForce() {
    return inForce;
  }

  public void setInForce(RecordedAdmission recorded) {
    inForce = Optional.of(recorded);
  }

  /** {@return what the controller has written, or tried to write, last; empty if nothing} */
  public Optional<Admission> own() {
    return own;
  }

  public void setOwn(Admission admission) {
    own = Optional.of(admission);
    isRemoving = false;
  }

  /** Records that the controller tries to remove the admission. */
  public void removing() {
    isRemoving = true;
  }

  /** {@return whether the controller itself may have removed the admission} */
  public boolean isRemoving() {
    return isRemoving;
  }

  /** Records that the admission was removed intentionally. */
  public void removed() {
    inForce = Optional.empty();
    own = Optional.empty();
  }

  /** {@return whether this differs from the last report about the record of the job} */
  public boolean isNews(String report) {
    boolean isNews = !reported.equals(report);
    reported = report;
    return isNews;
  }
}
