package io.kueue4j.examples.controller;

import java.util.Optional;

/**
 * The content of the notes on a job.
 *
 * @param note the trusted note, empty if there is none
 * @param content its content as text, without its seal; empty if there is none
 * @param refusal why another note on the job is not trusted, empty if there is no such note
 */
record NoteReading(Optional<AdmissionNote> note, String content, Optional<Refusal> refusal) {
  /**
   * A note that is not trusted.
   *
   * @param message the reason
   * @param isUnsealed whether the only problem is that no known key has sealed it
   * @param runs whether the object that carries it runs
   */
  record Refusal(String message, boolean isUnsealed, boolean runs) {
    /** The reason for stopping a job that ran with such a note, in one word. */
    static final String REASON = "AdmissionRefused";
  }
}
