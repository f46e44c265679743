package org.kblake.lake;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.lake.publish.LakeErrors;
import org.kblake.lake.table.CatalogSettings;
import org.kblake.lake.table.LakeCatalog;

/** The location of the tables, and the catalog that finds them. */
final class CatalogOptions {

  private static final List<String> KINDS = List.of("hadoop", "rest", "jdbc");

  private final Session session;
  private final Value<String> location;
  private final Value<String> kind;
  private final Values<String> properties;
  private final Values<String> hadoop;
  private @Nullable DataDirectories data;

  /** Adds the argument and the options to a command. */
  CatalogOptions(CommandModel model, Session session) {
    this.session = session;
    location =
        model.argument(
            String.class,
            "LOCATION",
            "The directory of the tables: a path, or a URI such as hdfs://host/tables.");
    kind =
        model.choice(
            KINDS,
            "hadoop",
            "CATALOG",
            "The catalog: hadoop (files of LOCATION only), rest or jdbc. Default:"
                + " ${DEFAULT-VALUE}.",
            "--catalog");
    properties =
        model.values(
            String.class,
            "KEY=VALUE",
            "A property of the catalog, such as uri=http://host:8181; may be given more than"
                + " once.",
            "--property");
    hadoop =
        model.values(
            String.class,
            "KEY=VALUE",
            "A setting of Hadoop, such as fs.s3a.endpoint=host:9000; may be given more than once."
                + " Files of HADOOP_CONF_DIR are read first.",
            "--hadoop");
  }

  /**
   * Requires that neither tables nor the catalog are in directories of data.
   *
   * @throws RequestException naming the directory
   */
  void requireAllowed() {
    DataDirectories directories = data();
    directories.requireApart(location());
    pairs("--property", properties.get())
        .forEach((key, value) -> directories.requireOutside("--property " + key, value));
    pairs("--hadoop", hadoop.get())
        .forEach((key, value) -> directories.requireOutside("--hadoop " + key, value));
  }

  private DataDirectories data() {
    if (data == null) {
      data = DataDirectories.of(session);
    }
    return data;
  }

  /**
   * Opens the catalog.
   *
   * @return the caller closes it
   * @throws RequestException if the catalog does not respond, or is in a directory of data
   */
  LakeCatalog open() {
    if (!KINDS.contains(kind.get())) {
      throw new UsageException("--catalog is not one of " + String.join(", ", KINDS));
    }
    requireAllowed();
    Map<String, String> own = pairs("--property", properties.get());
    LibraryNoise.remove(session);
    String directory = session.environment().variables().getOrDefault("HADOOP_CONF_DIR", "");
    CatalogSettings settings =
        new CatalogSettings(kind.get(), location(), own, pairs("--hadoop", hadoop.get()));
    try {
      return LakeCatalog.open(
          settings, directory.isEmpty() ? null : Path.of(directory), data()::requireOutside);
    } catch (RuntimeException e) {
      throw new RequestException(
          "catalog cannot be opened: catalog="
              + kind.get()
              + ", location="
              + settings.location()
              + ", found "
              + LakeErrors.line(e));
    }
  }

  /** Returns the location; a path is made absolute in the working directory. */
  private String location() {
    String text = location.get();
    return text.matches("[A-Za-z][A-Za-z0-9+.-]+:.*")
        ? text
        : session.path(Path.of(text)).toAbsolutePath().normalize().toString();
  }

  private static Map<String, String> pairs(String option, List<String> texts) {
    Map<String, String> pairs = new TreeMap<>();
    for (String text : texts) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw new UsageException(option + " is not KEY=VALUE: " + text);
      }
      pairs.put(text.substring(0, equals), text.substring(equals + 1));
    }
    return pairs;
  }
}
