package io.kueue4j.examples.controller;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The known notes on one job, by the object that carries them. */
final class NoteMemory {
  /**
   * A note on one object, as read.
   *
   * @param text the annotation
   * @param note its content, empty if it is not trusted
   * @param content the content as text, without the seal
   * @param sequence the number in its seal, 0 if it has none
   * @param keyId the key of the seal, empty if there is none
   * @param refusal why it is not trusted, empty if it is
   * @param isUnsealed whether the only problem is that no known key has sealed it
   * @param generation the generation of the keys that it was read with
   * @param outdated its content if it was valid before, and was put back; it says how to stop the
   *     job, and nothing else
   */
  record Part(
      String text,
      Optional<AdmissionNote> note,
      String content,
      long sequence,
      String keyId,
      String refusal,
      boolean isUnsealed,
      int generation,
      Optional<AdmissionNote> outdated) {
    static Part believed(
        String text, AdmissionNote note, String content, long sequence, String keyId) {
      return new Part(
          text, Optional.of(note), content, sequence, keyId, "", false, 0, Optional.empty());
    }

    static Part refused(String text, String refusal, boolean isUnsealed, int generation) {
      return new Part(
          text, Optional.empty(), "", 0, "", refusal, isUnsealed, generation, Optional.empty());
    }

    Part withOutdated(AdmissionNote former) {
      return new Part(
          text,
          note,
          content,
          sequence,
          keyId,
          refusal,
          isUnsealed,
          generation,
          Optional.of(former));
    }

    /** {@return whether it is still valid for {@code now}; a trusted note stays trusted} */
    boolean isOf(String now, int generationNow) {
      return text.equals(now) && (note.isPresent() || generation == generationNow);
    }
  }

  private final Map<ObjectKey, Part> read = new HashMap<>();

  /** The notes that are about to be written, or were written and may appear later. */
  private final Map<ObjectKey, Part> expected = new HashMap<>();

  private final Map<ObjectKey, Long> sequences = new HashMap<>();
  private long highest;

  /** The current note: the last trusted one that the controller has not removed. */
  private Optional<AdmissionNote> inForce = Optional.empty();

  private String ownContent = "";
  private boolean isRemoving;
  private String reported = "";

  /** {@return a text that was read or written before, empty if it must be verified} */
  Optional<Part> find(ObjectKey carrier, String text, int generation) {
    return Stream.of(read, expected)
        .flatMap(parts -> Optional.ofNullable(parts.get(carrier)).stream())
        .filter(part -> part.isOf(text, generation))
        .findFirst();
  }

  /** Removes all objects except these. */
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

  /** {@return the greatest known number of a note on an object} */
  long sequence(ObjectKey carrier) {
    return sequences.getOrDefault(carrier, 0L);
  }

  /** {@return a number greater than the number of every note before} */
  long nextSequence(long millis) {
    highest = Math.max(highest + 1, millis);
    return highest;
  }

  /** Records what is about to be written. */
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

  /** Records that the controller tries to remove the note. */
  void removing() {
    isRemoving = true;
  }

  /** {@return whether the controller itself may have removed the note} */
  boolean isRemoving() {
    return isRemoving;
  }

  /** Records that the note was removed intentionally. */
  void removed() {
    inForce = Optional.empty();
    ownContent = "";
  }

  /** {@return whether this differs from the last report about the notes} */
  boolean isNews(String report) {
    boolean isNews = !reported.equals(report);
    reported = report;
    return isNews;
  }
}
