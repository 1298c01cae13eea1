package io.kueue4j.examples.controller;

import java.util.Optional;

/** What the controller remembers about the recorded admission of one job. */
final class AdmissionMemory {
  /** The last admission that was read and that the controller has not removed. */
  private Optional<RecordedAdmission> inForce = Optional.empty();

  private String ownContent = "";
  private boolean isRemoving;
  private String reported = "";

  Optional<RecordedAdmission> inForce() {
    return inForce;
  }

  void setInForce(RecordedAdmission recorded) {
    inForce = Optional.of(recorded);
  }

  /** {@return what the controller has written, or tried to write, last; empty if nothing} */
  String ownContent() {
    return ownContent;
  }

  void setOwnContent(String content) {
    ownContent = content;
    isRemoving = false;
  }

  /** Records that the controller tries to remove the admission. */
  void removing() {
    isRemoving = true;
  }

  /** {@return whether the controller itself may have removed the admission} */
  boolean isRemoving() {
    return isRemoving;
  }

  /** Records that the admission was removed intentionally. */
  void removed() {
    inForce = Optional.empty();
    ownContent = "";
  }

  /** {@return whether this differs from the last report about the record of the job} */
  boolean isNews(String report) {
    boolean isNews = !reported.equals(report);
    reported = report;
    return isNews;
  }
}
