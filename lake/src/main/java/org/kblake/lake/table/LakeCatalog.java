package org.kblake.lake.table;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;

/** The tables of a location, found through a catalog. The opener closes it. */
public final class LakeCatalog implements Closeable {

  /** The kind of catalog that finds a table by its directory. */
  private static final String HADOOP = "hadoop";

  /** The name of a complete metadata file of any catalog: vN... or N-UUID... */
  private static final Pattern METADATA =
      Pattern.compile("/(v\\d+|\\d{5,7}-[^/]+)(\\.[a-z]+)?\\.metadata\\.json$");

  /** A table has files of another directory than that in which it was found. */
  public static final class Moved extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Moved(String message) {
      super(message);
    }
  }

  private final CatalogSettings settings;
  private final Configuration hadoop;
  private final Catalog catalog;
  private final Consumer<String> places;

  private LakeCatalog(
      CatalogSettings settings, Configuration hadoop, Catalog catalog, Consumer<String> places) {
    this.settings = settings;
    this.hadoop = hadoop;
    this.catalog = catalog;
    this.places = places;
  }

  /**
   * Opens a catalog.
   *
   * @param hadoopDirectory the directory of core-site.xml and hdfs-site.xml, or null
   * @param places throws if a directory, a path or a URI, must not have files of tables
   */
  public static LakeCatalog open(
      CatalogSettings settings, @Nullable Path hadoopDirectory, Consumer<String> places) {
    Configuration hadoop = new Configuration();
    hadoop.set("fs.file.impl", ForcedLocalFiles.class.getName());
    // Work that a signal stops still removes its files. Hadoop would close file systems meanwhile.
    hadoop.setBoolean("fs.automatic.close", false);
    if (hadoopDirectory != null) {
      for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
        Path file = hadoopDirectory.resolve(name);
        if (Files.isReadable(file)) {
          hadoop.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
        }
      }
    }
    settings.hadoop().forEach(hadoop::set);
    Map<String, String> properties = new HashMap<>(settings.properties());
    properties.put(CatalogUtil.ICEBERG_CATALOG_TYPE, settings.kind());
    properties.putIfAbsent(CatalogProperties.WAREHOUSE_LOCATION, settings.location());
    Catalog catalog = CatalogUtil.buildIcebergCatalog("kblake", properties, hadoop);
    return new LakeCatalog(settings, hadoop, catalog, places);
  }

  /** Returns the directory of the tables as the user named it. */
  public String location() {
    return settings.location();
  }

  /** Returns the files of the location, for what is not in a table. The caller closes it. */
  public FileIO files() {
    String implementation =
        settings
            .properties()
            .getOrDefault(CatalogProperties.FILE_IO_IMPL, "org.apache.iceberg.hadoop.HadoopFileIO");
    return CatalogUtil.loadFileIO(implementation, settings.properties(), hadoop);
  }

  /** Returns a group's table, or null if there is none. */
  public @Nullable LakeTable find(Group group, TableKind kind) {
    try {
      return table(TableNames.of(group, kind), kind);
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      return null;
    }
  }

  /** Returns a table with rows of all groups, or null if there is none. */
  public @Nullable LakeTable find(SiteTable table) {
    return existing(table.identifier(), null);
  }

  /** Returns null if there is no table of the name, or its creation has not come to its end. */
  private @Nullable LakeTable existing(TableIdentifier name, @Nullable TableKind kind) {
    try {
      return table(name, kind);
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      return null;
    }
  }

  /** Returns the tables with rows of all groups that exist. */
  public List<LakeTable> siteTables() {
    return Stream.of(SiteTable.values()).map(this::find).filter(Objects::nonNull).toList();
  }

  /**
   * Loads a table. A table has its own path in its metadata, to which data files go. If it was
   * moved or copied, that is the place before.
   *
   * @throws Moved if it was
   */
  private LakeTable table(TableIdentifier name, @Nullable TableKind kind) {
    Table table = catalog.loadTable(name);
    requirePlaces(table.location());
    Path own = LocalFiles.path(table.location());
    Path root = LocalFiles.path(settings.location());
    if (settings.kind().equals(HADOOP) && own != null && root != null) {
      Path found = root.resolve(name.namespace().toString()).resolve(name.name());
      if (!isSame(own, found)) {
        throw new Moved(
            "table was moved: table="
                + name
                + ", found at "
                + found
                + ", its files are at "
                + own
                + "; move it back, or publish to an empty directory");
      }
    }
    return new LakeTable(table, kind, hadoop);
  }

  /** A directory may be a link, and a server may choose any directory. */
  private void requirePlaces(String directory) {
    places.accept(directory + "/metadata");
    places.accept(directory + "/data");
  }

  private static boolean isSame(Path own, Path found) {
    try {
      return own.equals(found) || Files.isSameFile(own, found);
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the tables of a group that exist. */
  public List<LakeTable> tables(Group group) {
    Namespace namespace = TableNames.namespace(group);
    List<TableIdentifier> present;
    try {
      present = catalog.listTables(namespace);
    } catch (NoSuchNamespaceException e) {
      return List.of();
    }
    List<LakeTable> tables = new ArrayList<>();
    for (TableKind kind : TableKind.all()) {
      TableIdentifier name = TableNames.of(group, kind);
      LakeTable found = present.contains(name) ? existing(name, kind) : null;
      if (found != null) {
        tables.add(found);
      }
    }
    return tables;
  }

  /**
   * Makes a group's table.
   *
   * @param archive the archive's root as the store names it
   * @param right is confirmed before what an earlier attempt left is removed
   */
  public LakeTable create(Group group, TableKind kind, String archive, WriteRight right)
      throws IOException {
    return create(
        TableNames.of(group, kind),
        kind,
        TableSchema.of(kind),
        PartitionSpec.unpartitioned(),
        TableSchema.properties(group, kind, archive),
        right);
  }

  /**
   * Makes a table with rows of all groups.
   *
   * @param archive the archive's root as the store names it
   * @param right is confirmed before what an earlier attempt left is removed
   */
  public LakeTable create(SiteTable table, String archive, WriteRight right) throws IOException {
    return create(
        table.identifier(),
        null,
        table.schema(),
        table.partitions(),
        SiteTable.properties(archive),
        right);
  }

  private LakeTable create(
      TableIdentifier name,
      @Nullable TableKind kind,
      Schema schema,
      PartitionSpec partitions,
      Map<String, String> properties,
      WriteRight right)
      throws IOException {
    String directory =
        String.join("/", settings.location(), name.namespace().toString(), name.name());
    requirePlaces(directory);
    requireUnused(directory, properties);
    Namespace namespace = name.namespace();
    if (catalog instanceof SupportsNamespaces namespaces
        && !namespaces.namespaceExists(namespace)) {
      namespaces.createNamespace(namespace);
    }
    LakeTable made =
        new LakeTable(
            catalog
                .buildTable(name, schema)
                .withPartitionSpec(partitions)
                .withProperties(properties)
                .create(),
            kind,
            hadoop);
    requirePlaces(made.table().location());
    if (settings.kind().equals(HADOOP)) {
      new Leftovers(made, right).remove(made);
    }
    return made;
  }

  /**
   * Files of another catalog's table would be taken for leftovers. A server of REST knows the
   * directories of its tables.
   */
  private void requireUnused(String directory, Map<String, String> properties) throws IOException {
    try (FileIO io = files()) {
      if (io instanceof SupportsPrefixOperations lister) {
        for (FileInfo file : lister.listPrefix(directory + "/metadata/")) {
          Matcher metadata = METADATA.matcher(file.location());
          if (metadata.find()
              && (settings.kind().equals(HADOOP)
                  || metadata.group(1).startsWith("v")
                  || !isOfFailedCreation(io, file.location(), properties))) {
            throw new IOException(
                "directory has a table of another catalog: directory="
                    + directory
                    + ", file="
                    + file.location()
                    + "; name its catalog with --catalog, or another location");
          }
        }
      }
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof FileNotFoundException)) {
        throw e;
      }
    }
  }

  /**
   * Returns whether metadata is that of a table without snapshots that an earlier attempt to make
   * the same table may have left. A REST or JDBC catalog learns of a table after its metadata was
   * written. A Hadoop catalog would take it for leftovers, and another catalog may have it.
   */
  private static boolean isOfFailedCreation(
      FileIO io, String metadata, Map<String, String> properties) {
    TableMetadata table;
    try {
      table = TableMetadataParser.read(io, metadata);
    } catch (UncheckedIOException e) {
      return false;
    }
    return table.currentSnapshot() == null
        && Stream.of(TableSchema.GROUP, TableSchema.ARCHIVE)
            .allMatch(key -> Objects.equals(properties.get(key), table.properties().get(key)));
  }

  /** Returns the groups that have tables, sorted. Tables that kblake did not make are left out. */
  public List<Group> groups() {
    return names().stream()
        .map(name -> catalog.loadTable(name).properties().get(TableSchema.GROUP))
        .filter(Objects::nonNull)
        .distinct()
        .map(Group::parse)
        .sorted()
        .toList();
  }

  /**
   * Returns the root of the archive of each table that can be read, as the store names it. Tables
   * that kblake did not make are left out.
   */
  public Map<String, String> archives() {
    Map<String, String> archives = new TreeMap<>();
    for (TableIdentifier name : names()) {
      try {
        String archive = catalog.loadTable(name).properties().get(TableSchema.ARCHIVE);
        if (archive != null) {
          archives.put(name.toString(), archive);
        }
      } catch (RuntimeException e) {
        // Whoever changes the table reports it.
      }
    }
    return archives;
  }

  /** Returns the names of all tables; none of a location that does not exist yet. */
  private List<TableIdentifier> names() {
    if (!(catalog instanceof SupportsNamespaces namespaces)) {
      throw new UnsupportedOperationException("the catalog does not list namespaces");
    }
    List<TableIdentifier> names = new ArrayList<>();
    try {
      namespaces.listNamespaces().forEach(each -> names.addAll(catalog.listTables(each)));
    } catch (NoSuchNamespaceException e) {
      return names;
    }
    return names;
  }

  @Override
  public void close() throws IOException {
    if (catalog instanceof Closeable closeable) {
      closeable.close();
    }
  }
}
