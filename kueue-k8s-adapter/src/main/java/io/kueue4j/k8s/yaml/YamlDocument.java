package io.kueue4j.k8s.yaml;

/**
 * One document of a source.
 *
 * @param index its position in the source, from 1, empty ones counted
 * @param root its content; {@link YamlNode#isNull() null} if it is empty
 */
public record YamlDocument(int index, YamlNode root) {}
