package io.kueue4j.examples.controller.seal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** A key of 256 bits for seals. Immutable; its string form does not reveal it. */
public final class SealKey {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 32;
  private static final int ID_LENGTH = 12;

  private final byte[] bytes;
  private final String id;

  private SealKey(byte[] bytes) {
    this.bytes = bytes;
    // Computed with a separate hash: the id is public, and must not help to find the key.
    this.id = Hashing.sha256()
        .newHasher()
        .putString("kueue4j.io/seal-key-id", UTF_8)
        .putBytes(bytes)
        .hash()
        .toString()
        .substring(0, ID_LENGTH);
  }

  /** {@return a new random key} */
  public static SealKey random(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new SealKey(bytes);
  }

  /**
   * {@return the key in the form that Secrets contain}
   *
   * @throws IllegalArgumentException if it is not 32 bytes as base64
   */
  static SealKey ofBase64(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("it has " + bytes.length + " bytes, expected " + BYTES);
    }
    return new SealKey(bytes);
  }

  /** {@return the key in the form that Secrets contain} */
  String toBase64() {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** {@return the id of the key in seals and messages} */
  public String id() {
    return id;
  }

  byte[] mac(byte[] message) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(bytes, ALGORITHM));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          ALGORITHM + " is missing from this Java, which must have it: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof SealKey other && MessageDigest.isEqual(bytes, other.bytes);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "key " + id;
  }
}
