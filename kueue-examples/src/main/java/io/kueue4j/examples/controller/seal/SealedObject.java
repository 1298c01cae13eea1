package io.kueue4j.examples.controller.seal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * The object that carries a sealed text: the same text is not valid on any other.
 *
 * @param annotation the annotation that contains the text
 * @param uid the uid of the object, which no other object ever has
 * @param apiGroup its API group, empty for the core group
 * @param kind its kind
 * @param namespace its namespace
 * @param name its name
 */
public record SealedObject(
    String annotation, String uid, String apiGroup, String kind, String namespace, String name) {

  /**
   * {@return the bytes to seal} Each part is preceded by its length, so different texts, objects
   * and numbers always have different bytes.
   */
  byte[] message(long sequence, String text) {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    for (String part : new String[] {
      annotation, uid, apiGroup, kind, namespace, name, Long.toString(sequence), text
    }) {
      byte[] bytes = part.getBytes(UTF_8);
      message.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      message.writeBytes(bytes);
    }
    return message.toByteArray();
  }
}
