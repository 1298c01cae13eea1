package io.kueue4j.examples.controller;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What is remembered of the notes on one job, by the object that carries them. */
final class NoteMemory {
  /**
   * A note on one object as it was read.
   *
   * @param text the annotation
   * @param note what it says, absent if it is not believed
   * @param content the same as text, without the seal
   * @param sequence the number in its seal, 0 if it has none
   * @param keyId the key that it is sealed with, empty if with none
   * @param refusal why it is not believed, empty if it is
   * @param isUnsealed whether all that is wrong is that no known key has sealed it
   * @param generation of the keys that it was read by
   */
  record Part(
      String text,
      Optional<AdmissionNote> note,
      String content,
      long sequence,
      String keyId,
      String refusal,
      boolean isUnsealed,
      int generation) {
    static Part believed(
        String text, AdmissionNote note, String content, long sequence, String keyId) {
      return new Part(text, Optional.of(note), content, sequence, keyId, "", false, 0);
    }

    static Part refused(String text, String refusal, boolean isUnsealed, int generation) {
      return new Part(text, Optional.empty(), "", 0, "", refusal, isUnsealed, generation);
    }

    /** {@return whether it is still true of {@code now}; what was believed once stays so} */
    boolean isOf(String now, int generationNow) {
      return text.equals(now) && (note.isPresent() || generation == generationNow);
    }
  }

  private final Map<ObjectKey, Part> read = new HashMap<>();

  /** What is about to be written, or was and may appear later. */
  private final Map<ObjectKey, Part> expected = new HashMap<>();

  private final Map<ObjectKey, Long> sequences = new HashMap<>();
  private long highest;

  /** The note in force: that which was believed last, and was not taken away by the controller. */
  private Optional<AdmissionNote> inForce = Optional.empty();

  private String ownContent = "";
  private boolean isRemoving;
  private String reported = "";

  /** {@return a text as it was read or written before, absent if it is to be verified} */
  Optional<Part> find(ObjectKey carrier, String text, int generation) {
    return Stream.of(read, expected)
        .flatMap(parts -> Optional.ofNullable(parts.get(carrier)).stream())
        .filter(part -> part.isOf(text, generation))
        .findFirst();
  }

  /** Forgets all objects but these. */
  void retain(Set<ObjectKey> carriers) {
    read.keySet().retainAll(carriers);
    expected.keySet().retainAll(carriers);
    sequences.keySet().retainAll(carriers);
  }

  void remember(ObjectKey carrier, Part part) {
    read.put(carrier, part);
    if (part.note().isPresent()) {
      sequences.merge(carrier, part.sequence(), Math::max);
      highest = Math.max(highest, part.sequence());
    }
  }

  /** {@return the greatest number that a note on an object has had, as far as known} */
  long sequence(ObjectKey carrier) {
    return sequences.getOrDefault(carrier, 0L);
  }

  /**
   * {@return a number greater than that of every note before; later ones are greater in any case}
   */
  long nextSequence(long millis) {
    highest = Math.max(highest + 1, millis);
    return highest;
  }

  /** Notes what is about to be written. */
  void expect(ObjectKey carrier, Part part) {
    expected.put(carrier, part);
  }

  Optional<AdmissionNote> inForce() {
    return inForce;
  }

  void setInForce(AdmissionNote note) {
    inForce = Optional.of(note);
  }

  /** {@return what the controller has written, or tried to write, last; empty if nothing} */
  String ownContent() {
    return ownContent;
  }

  void setOwnContent(String content) {
    ownContent = content;
    isRemoving = false;
  }

  /** Notes that the controller tries to take the note away. */
  void removing() {
    isRemoving = true;
  }

  /** {@return whether the controller itself may have taken the note away} */
  boolean isRemoving() {
    return isRemoving;
  }

  /** Notes that there is no note any more, as there is to be none. */
  void removed() {
    inForce = Optional.empty();
    ownContent = "";
  }

  /** {@return whether this differs from what was reported of the notes last} */
  boolean isNews(String report) {
    boolean isNews = !reported.equals(report);
    reported = report;
    return isNews;
  }
}
