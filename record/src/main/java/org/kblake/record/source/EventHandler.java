package org.kblake.record.source;

/** Takes events. */
@FunctionalInterface
public interface EventHandler {

  /**
   * Takes an event.
   *
   * @param event valid until this method returns; the source uses the object again
   */
  void handle(ChannelEvent event);
}
