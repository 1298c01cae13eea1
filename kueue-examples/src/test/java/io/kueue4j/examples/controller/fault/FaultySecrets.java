package io.kueue4j.examples.controller.fault;

import io.fabric8.kubernetes.api.model.Secret;
import io.kueue4j.examples.controller.seal.SecretException;
import io.kueue4j.examples.controller.seal.SecretStore;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The Secret of the seals for one process of a controller, where some calls fail. */
final class FaultySecrets implements SecretStore {
  private static final int PERCENT = 10;

  private final SecretStore store;
  private final Random random;
  private final BooleanSupplier isFaulty;

  FaultySecrets(SecretStore store, Random random, BooleanSupplier isFaulty) {
    this.store = store;
    this.random = random;
    this.isFaulty = isFaulty;
  }

  @Override
  public Optional<Secret> get() {
    return call(store::get);
  }

  @Override
  public Secret create(Secret secret) {
    return call(() -> store.create(secret));
  }

  @Override
  public Secret replace(Secret secret) {
    return call(() -> store.replace(secret));
  }

  private boolean happens() {
    return isFaulty.getAsBoolean() && Faults.happens(random, PERCENT);
  }

  private <T> T call(Supplier<T> call) {
    if (happens()) {
      throw new ControllerKilled();
    }
    if (happens()) {
      throw new SecretException(SecretException.Reason.UNAVAILABLE, "no connection");
    }
    T result = call.get();
    if (happens()) {
      throw new ControllerKilled();
    }
    if (happens()) {
      throw new SecretException(SecretException.Reason.UNAVAILABLE, "the connection was closed");
    }
    return result;
  }

  @Override
  public String toString() {
    return store.toString();
  }
}
