package io.kueue4j.examples.controller.seal;

import java.util.Optional;

/**
 * What a {@link SealSecret} has found.
 *
 * @param keys the keys in force, absent if the controller may not keep any
 * @param problem what is wrong with the Secret and what to do, absent if nothing is
 * @param unsealedAccepted whether unsealed notes were accepted once, and all of them sealed
 */
public record SealState(
    Optional<SealKeys> keys, Optional<String> problem, boolean unsealedAccepted) {}
