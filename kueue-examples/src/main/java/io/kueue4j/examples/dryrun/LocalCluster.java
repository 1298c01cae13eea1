package io.kueue4j.examples.dryrun;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.JobAnnotations;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.WriteException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster without servers, for playing manifests: stores objects and records writes. No pods are
 * ever created, so a stopped job has no pods at once.
 */
final class LocalCluster implements ClusterWrites {
  private final InstantSource clock;
  private final Map<ObjectKey, HasMetadata> objects = new LinkedHashMap<>();
  private final List<ClusterEvent> news = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private long version;

  LocalCluster(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Creates or replaces an object.
   *
   * @return the stored object
   */
  HasMetadata apply(HasMetadata given) {
    HasMetadata copy = JobAnnotations.copy(given);
    ObjectMeta metadata = copy.getMetadata();
    version++;
    String name = Strings.isNullOrEmpty(metadata.getName())
        ? Strings.nullToEmpty(metadata.getGenerateName()) + "%05d".formatted(version)
        : metadata.getName();
    copy.setMetadata(new ObjectMetaBuilder(metadata)
        .withName(name)
        .withUid("00000000-0000-4000-8000-%012d".formatted(version))
        .withResourceVersion(Long.toString(version))
        .withCreationTimestamp(clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
        .build());
    objects.put(ObjectKey.of(copy), copy);
    news.add(ClusterEvent.changed(copy));
    return copy;
  }

  @Override
  public <T extends HasMetadata> T replace(T object) {
    return store(object);
  }

  @Override
  public <T extends HasMetadata> T replaceStatus(T object) {
    return store(object);
  }

  private <T extends HasMetadata> T store(T object) {
    current(object);
    T copy = JobAnnotations.copy(object);
    version++;
    copy.getMetadata().setResourceVersion(Long.toString(version));
    objects.put(ObjectKey.of(copy), copy);
    news.add(ClusterEvent.changed(copy));
    return copy;
  }

  @Override
  @SuppressWarnings("unchecked") // a copy has the class of the original
  public <T extends HasMetadata> T create(T object) {
    ObjectKey key = ObjectKey.of(object);
    if (objects.containsKey(key)) {
      throw new WriteException(WriteException.Reason.CONFLICT, key + " exists already");
    }
    return (T) apply(object);
  }

  @Override
  public void delete(HasMetadata object) {
    current(object);
    objects.remove(ObjectKey.of(object));
    news.add(ClusterEvent.deleted(object));
  }

  private void current(HasMetadata object) {
    ObjectKey key = ObjectKey.of(object);
    HasMetadata stored = objects.get(key);
    if (stored == null) {
      throw new WriteException(WriteException.Reason.GONE, key + " is not there");
    }
    if (ObjectCache.version(stored) != ObjectCache.version(object)) {
      throw new WriteException(
          WriteException.Reason.CONFLICT,
          key + " has version " + stored.getMetadata().getResourceVersion() + "; given was "
              + object.getMetadata().getResourceVersion());
    }
  }

  @Override
  public void record(Event event) {
    events.add(event);
  }

  /** {@return the events since the last call} */
  ImmutableList<ClusterEvent> takeNews() {
    ImmutableList<ClusterEvent> taken = ImmutableList.copyOf(news);
    news.clear();
    return taken;
  }

  /** {@return the events recorded so far} */
  ImmutableList<Event> events() {
    return ImmutableList.copyOf(events);
  }

  Optional<HasMetadata> get(ObjectKey key) {
    return Optional.ofNullable(objects.get(key));
  }

  ImmutableList<HasMetadata> objects() {
    return ImmutableList.copyOf(objects.values());
  }
}
