module consumer {
  requires io.kueue4j.core;
}
