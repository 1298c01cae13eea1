package io.kueue4j.examples.controller.lease;

/**
 * The lease that one of several controllers holds, and the candidate.
 *
 * @param namespace the namespace of the lease
 * @param name its name
 * @param identity the name of the candidate, different for each
 */
public record LeaseName(String namespace, String name, String identity) {}
