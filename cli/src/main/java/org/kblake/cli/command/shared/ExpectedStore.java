package org.kblake.cli.command.shared;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.file.StoreException;

/** The identity that a store must have to be used with an archive. */
public final class ExpectedStore {

  private ExpectedStore() {}

  /** Returns the identity of a store of this archive. */
  public static StoreIdentity of(Archive archive, StoreProfile profile) {
    return of(archive.root(), archive.settings(), profile);
  }

  public static StoreIdentity of(Path archive, ArchiveSettings settings, StoreProfile profile) {
    return StoreIdentity.of(
        archive,
        settings.zoneName(),
        settings.disorderBoundNanos(),
        settings.layouts().get(0).name(),
        profile.name());
  }

  /**
   * Returns the profile for writing: that of the store if it exists.
   *
   * @param wanted the profile that the user named; may be null
   * @throws RequestException if the store has another profile: its files would differ in the type
   *     of times
   */
  public static StoreProfile profile(Path store, @Nullable StoreProfile wanted) throws IOException {
    StoreProfile present;
    try {
      present = StoreProfile.of(StoreIdentity.read(store));
    } catch (StoreException.Missing e) {
      return wanted == null ? StoreProfile.standard : wanted;
    }
    if (wanted != null && wanted != present) {
      throw new RequestException(
          "store has another profile: store="
              + store
              + ", its profile="
              + present
              + ", requested="
              + wanted
              + "; omit --profile, or name another store");
    }
    return present;
  }
}
