package org.kblake.test;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.TailRule;
import org.kblake.core.model.Group;
import org.kblake.core.store.Access;
import org.kblake.core.store.Block;
import org.kblake.core.store.Store;
import org.kblake.core.store.parquet.Codec;
import org.kblake.core.store.parquet.WriteProfile;
import org.kblake.ingest.live.CacheSettings;
import org.kblake.ingest.live.Live;
import org.kblake.ingest.live.LiveListener;
import org.kblake.ingest.live.LiveSettings;

/** What follows an archive, as a process of its own, to be killed. */
final class LiveProcess {

  /** An archive seen over a network, everything quicker than in earnest. */
  static final ArchiveSettings ARCHIVE =
      ArchiveSettings.defaults()
          .withTail(TailRule.PROVISIONAL)
          .withSettleNanos(TimeUnit.SECONDS.toNanos(2))
          .withSupersededAfterNanos(TimeUnit.SECONDS.toNanos(4))
          .withClosedAfterNanos(TimeUnit.SECONDS.toNanos(8));

  private LiveProcess() {}

  private static LiveSettings settings(@Nullable Path mirror) {
    return new LiveSettings(
        List.of(),
        Duration.ofMillis(50),
        Duration.ofSeconds(1),
        1 << 20,
        0,
        Duration.ofSeconds(2),
        1,
        32 << 20,
        0,
        Duration.ofSeconds(5),
        new WriteProfile(Codec.LZ4, false),
        null,
        CacheSettings.EVERYTHING,
        mirror);
  }

  /**
   * @param args archive, store, and a mirror if there is to be one
   */
  public static void main(String[] args) throws Exception {
    Archive archive = Archive.open(Path.of(args[0]), ARCHIVE);
    try (Store store = Store.openForWriting(Path.of(args[1]), TestStores.identity(archive))) {
      LiveSettings settings = settings(args.length > 2 ? Path.of(args[2]) : null);
      Live live = new Live(archive, store, settings, new Printing(), Clock.systemUTC());
      Thread following = Thread.currentThread();
      Runtime.getRuntime().addShutdownHook(new Thread(following::interrupt));
      live.run();
    }
  }

  static Process start(Path archive, Path store, Path output) throws Exception {
    return start(LiveProcess.class, output, archive.toString(), store.toString());
  }

  static Process startWithMirror(Path archive, Path store, Path mirror, Path output)
      throws Exception {
    return start(
        LiveProcess.class, output, archive.toString(), store.toString(), mirror.toString());
  }

  /** Starts a class of the tests as a process. */
  static Process start(Class<?> main, Path output, String... args) throws Exception {
    List<String> command = ChildJvm.command(main, List.of("-Xmx512M"));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
        .start();
  }

  private static final class Printing implements LiveListener {
    @Override
    public void merged(List<Block> smaller, Block block, long storedBytes) {}

    @Override
    public void sealed(Block block, long storedBytes) {}

    @Override
    public void discarded(Block block, String why) {
      System.out.println("discarded " + block + ": " + why);
    }

    @Override
    public void evicted(Block block, long storedBytes) {}

    @Override
    public void read(Access access) {}

    @Override
    public void refused(String what) {}

    @Override
    public void problem(Group group, String message) {
      System.out.println("problem of " + group + ": " + message);
    }

    @Override
    public void over(Group group, String message) {
      System.out.println("over in " + group + ": " + message);
    }
  }
}
