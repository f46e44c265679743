package org.kblake.transfer.build;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.transfer.GroupPattern;
import org.kblake.transfer.TransferLog;

/**
 * What a builder takes, and from where.
 *
 * @param root where it writes pairs; must exist
 * @param collectors the control addresses of its collectors
 * @param timeout after which a silent collector is lost
 */
public record GathererSettings(
    Path root, List<Source> collectors, Limits limits, Duration timeout, TransferLog log) {

  /**
   * A collector, and how to reach it.
   *
   * @param name the name of this builder
   * @param token empty if there is none; asked for at each connection
   * @param tls null for none
   */
  public record Source(
      InetSocketAddress address, String name, Supplier<String> token, @Nullable SSLContext tls) {}

  /**
   * What a builder accepts.
   *
   * @param groups the groups that it takes
   * @param quotaBytes the most bytes that pairs below its root may have
   * @param windowBytes the credit of a connection
   * @param since the stamp of a time: earlier pairs are not wanted; 0 for all
   */
  public record Limits(
      List<GroupPattern> groups, long quotaBytes, long windowBytes, LongSupplier since) {

    /** Returns limits that take all groups. */
    public static Limits none() {
      return new Limits(List.of(new GroupPattern("*")), Long.MAX_VALUE, 16L << 20, () -> 0);
    }

    boolean permits(Group group) {
      return groups.stream().anyMatch(each -> each.matches(group));
    }
  }
}
