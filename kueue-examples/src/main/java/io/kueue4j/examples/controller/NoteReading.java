package io.kueue4j.examples.controller;

import java.util.Optional;

/**
 * What the notes on a job say.
 *
 * @param note the note that is believed, absent if there is none
 * @param content what it says as text, without its seal; empty if there is none
 * @param refusal why another note on the job is not believed, absent if there is no such note
 */
record NoteReading(Optional<AdmissionNote> note, String content, Optional<Refusal> refusal) {
  /**
   * A note that is not believed.
   *
   * @param message why not
   * @param isUnsealed whether all that is wrong is that no known key has sealed it
   * @param runs whether what carries it runs
   */
  record Refusal(String message, boolean isUnsealed, boolean runs) {
    /** Why a job stops that ran on such a note, in one word. */
    static final String REASON = "AdmissionRefused";
  }
}
