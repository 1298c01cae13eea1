package io.kueue4j.examples.controller.seal;

import java.util.Optional;

/**
 * The state of a {@link SealSecret}.
 *
 * @param keys the current keys, empty if the controller may not keep any
 * @param problem the problem with the Secret and its remedy, empty if there is none
 * @param unsealedAccepted whether unsealed notes were accepted once, and all of them sealed
 */
public record SealState(
    Optional<SealKeys> keys, Optional<String> problem, boolean unsealedAccepted) {}
