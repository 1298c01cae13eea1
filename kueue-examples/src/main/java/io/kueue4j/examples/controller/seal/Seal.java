package io.kueue4j.examples.controller.seal;

/**
 * The seal of a text.
 *
 * @param sequence the number of the text: of two texts on one object the newer has the greater
 * @param keyId the key that it was made with
 * @param mac the HMAC-SHA256 as base64
 */
public record Seal(long sequence, String keyId, String mac) {}
