package io.kueue4j.examples.controller.seal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;

/**
 * The current keys: one seals, and both verify. Immutable.
 *
 * @param current seals, and verifies
 * @param previous verifies what was sealed before the last rotation, empty if there is none
 */
public record SealKeys(SealKey current, Optional<SealKey> previous) {

  /** The result of a verification. */
  public enum Verdict {
    /** It was made with one of the keys, for this text on this object. */
    VALID,
    /** It was made with an unknown key, or claims to be. */
    UNKNOWN_KEY,
    /** It does not match this text on this object. */
    BROKEN
  }

  /** {@return a single key} */
  public static SealKeys of(SealKey key) {
    return new SealKeys(key, Optional.empty());
  }

  /** {@return the seal of a text on an object} */
  public Seal seal(SealedObject object, long sequence, String text) {
    return new Seal(
        sequence,
        current.id(),
        Base64.getEncoder().encodeToString(current.mac(object.message(sequence, text))));
  }

  /** {@return whether a seal belongs to a text on an object} */
  public Verdict verify(Seal seal, SealedObject object, String text) {
    Optional<SealKey> key = key(seal.keyId());
    if (key.isEmpty()) {
      return Verdict.UNKNOWN_KEY;
    }
    // Takes constant time. Compares texts, because base64 has several forms of the same bytes.
    String expected =
        Base64.getEncoder().encodeToString(key.get().mac(object.message(seal.sequence(), text)));
    return MessageDigest.isEqual(expected.getBytes(US_ASCII), seal.mac().getBytes(US_ASCII))
        ? Verdict.VALID
        : Verdict.BROKEN;
  }

  private Optional<SealKey> key(String id) {
    return current.id().equals(id)
        ? Optional.of(current)
        : previous.filter(key -> key.id().equals(id));
  }

  /** {@return the ids of the keys, for messages} */
  public String ids() {
    return previous.map(key -> current.id() + " and " + key.id()).orElse(current.id());
  }

  @Override
  public String toString() {
    return "SealKeys " + ids();
  }
}
