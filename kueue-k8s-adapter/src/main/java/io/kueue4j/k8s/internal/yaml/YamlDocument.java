package io.kueue4j.k8s.internal.yaml;

/**
 * One document of a source.
 *
 * @param index its number in the source, from 1, including empty documents
 * @param root its content; {@link YamlNode#isNull() null} if it is empty
 * @since 0.1.0
 */
public record YamlDocument(int index, YamlNode root) {}
