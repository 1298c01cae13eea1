package io.kueue4j.examples.controller.seal;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.controller.seal.SealKeys.Verdict;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A seal is valid of one text on one object by one key, and of nothing else. */
class SealKeysTest {
  private static final String TEXT = "{\"a\":1}";
  private static final SealedObject JOB =
      new SealedObject("kueue4j.io/admission", "uid-1", "batch", "Job", "team-a", "train");

  private final SealKey key = SealKey.random(new SecureRandom());
  private final SealKeys keys = SealKeys.of(key);
  private final Seal seal = keys.seal(JOB, 7, TEXT);

  @Test
  void whatWasSealedIsValid() {
    assertThat(keys.verify(seal, JOB, TEXT)).isEqualTo(Verdict.VALID);
  }

  @Test
  void theSealIsTheHmacOfAllPartsWithTheirLengths() {
    SealKey zeros = SealKey.ofBase64(Base64.getEncoder().encodeToString(new byte[32]));
    // python3: hmac.new(bytes(32), b"".join(len(p).to_bytes(4, "big") + p for p in parts),
    // "sha256")
    assertThat(SealKeys.of(zeros).seal(JOB, 7, TEXT).mac())
        .isEqualTo("LnopdmEE0pZq6WgSLcuopsfiyvxBekR4OrhbnzImjWs=");
  }

  @Test
  void anythingElseIsNot() {
    for (SealedObject other : List.of(
        new SealedObject("kueue4j.io/status", "uid-1", "batch", "Job", "team-a", "train"),
        new SealedObject("kueue4j.io/admission", "uid-2", "batch", "Job", "team-a", "train"),
        new SealedObject("kueue4j.io/admission", "uid-1", "", "Job", "team-a", "train"),
        new SealedObject("kueue4j.io/admission", "uid-1", "batch", "Pod", "team-a", "train"),
        new SealedObject("kueue4j.io/admission", "uid-1", "batch", "Job", "team-b", "train"),
        new SealedObject("kueue4j.io/admission", "uid-1", "batch", "Job", "team-a", "other"),
        // The same characters, divided otherwise.
        new SealedObject("kueue4j.io/admission", "uid-1b", "atch", "Job", "team-a", "train"))) {
      assertThat(keys.verify(seal, other, TEXT)).as(other.toString()).isEqualTo(Verdict.BROKEN);
    }
    assertThat(keys.verify(seal, JOB, "{\"a\":2}")).isEqualTo(Verdict.BROKEN);
    assertThat(keys.verify(new Seal(8, seal.keyId(), seal.mac()), JOB, TEXT))
        .isEqualTo(Verdict.BROKEN);
    assertThat(keys.verify(new Seal(7, seal.keyId(), ""), JOB, TEXT)).isEqualTo(Verdict.BROKEN);
  }

  @Test
  void everyBitOfTheSealCounts() {
    byte[] mac = Base64.getDecoder().decode(seal.mac());
    for (int bit = 0; bit < 8 * mac.length; bit++) {
      byte[] other = mac.clone();
      other[bit / 8] ^= (byte) (1 << (bit % 8));
      String text = Base64.getEncoder().encodeToString(other);
      assertThat(keys.verify(new Seal(7, seal.keyId(), text), JOB, TEXT))
          .as("bit " + bit)
          .isEqualTo(Verdict.BROKEN);
    }
  }

  @Test
  void thePreviousKeyVerifiesAndTheCurrentOneSeals() {
    SealKeys rotated = new SealKeys(SealKey.random(new SecureRandom()), Optional.of(key));
    assertThat(rotated.verify(seal, JOB, TEXT)).isEqualTo(Verdict.VALID);
    Seal fresh = rotated.seal(JOB, 8, TEXT);
    assertThat(fresh.keyId()).isEqualTo(rotated.current().id()).isNotEqualTo(key.id());
    assertThat(keys.verify(fresh, JOB, TEXT)).isEqualTo(Verdict.UNKNOWN_KEY);
    assertThat(SealKeys.of(rotated.current()).verify(seal, JOB, TEXT))
        .isEqualTo(Verdict.UNKNOWN_KEY);
  }

  @Test
  void aSealThatNamesAnotherKeyIsNotTriedWithIt() {
    SealKeys both = new SealKeys(SealKey.random(new SecureRandom()), Optional.of(key));
    Seal renamed = new Seal(7, both.current().id(), seal.mac());
    assertThat(both.verify(renamed, JOB, TEXT)).isEqualTo(Verdict.BROKEN);
  }
}
