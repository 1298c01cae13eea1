package io.kueue4j.examples.controller.lease;

/**
 * The lease that one of several controllers holds, and the candidate.
 *
 * @param namespace the namespace of the lease
 * @param name its name
 * @param identity the name of the candidate; a random part is added, so that no two are equal
 */
public record LeaseName(String namespace, String name, String identity) {}
