package org.kblake.core.internal.log.pair;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The damage of a segment in limited memory. The first spans are kept one by one, all later ones as
 * one.
 */
public final class DamageList {

  private static final int MOST = 100;

  private final Path file;
  private final List<Damage> damage = new ArrayList<>();
  private @Nullable Damage rest;
  private int restCount;

  public DamageList(Path file) {
    this.file = file;
  }

  public void add(long offset, long bytes, String fault, Damage.Kind kind) {
    if (damage.size() < MOST) {
      damage.add(Damage.of(file, offset, bytes, fault, kind));
      return;
    }
    restCount++;
    rest =
        rest == null
            ? Damage.of(file, offset, bytes, fault, kind)
            : new Damage(file, rest.offset(), rest.bytes() + bytes, rest.found(), kind);
  }

  public void addAll(List<Damage> more) {
    damage.addAll(more);
  }

  public List<Damage> toList() {
    List<Damage> all = new ArrayList<>(damage);
    if (rest != null) {
      all.add(
          new Damage(
              file,
              rest.offset(),
              rest.bytes(),
              rest.found() + "; the first of " + restCount + " more",
              rest.kind()));
    }
    return List.copyOf(all);
  }
}
