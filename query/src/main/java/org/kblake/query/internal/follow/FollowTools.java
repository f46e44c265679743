package org.kblake.query.internal.follow;

import java.util.function.Consumer;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.question.FollowQuery;

/**
 * What the groups and pairs of a follower share.
 *
 * @param channels the channels of all pairs, to which those of new pairs are added
 * @param notes receives a line for what users should know
 */
record FollowTools(
    FollowQuery query, FollowedChannels channels, PairCatalog catalog, Consumer<String> notes) {

  ArchiveSettings settings() {
    return catalog.settings();
  }

  void note(String line) {
    notes.accept(line);
  }

  /** Returns the same without notes. */
  FollowTools silent() {
    return new FollowTools(query, channels, catalog, note -> {});
  }
}
