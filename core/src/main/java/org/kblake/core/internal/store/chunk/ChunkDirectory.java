package org.kblake.core.internal.store.chunk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.store.chunk.ChunkDirectoryLayout.Counts;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.core.model.ValueType;

/**
 * Looks up chunks in the file of a block's chunk directory. A lookup of a name takes one or two
 * reads of a few kilobytes for any number of channels. Not thread safe. It has an open file.
 */
final class ChunkDirectory implements Closeable {

  private static final int SEARCH_ENTRIES = 64;
  private static final int CHUNK_BYTES = ChunkDirectoryLayout.CHUNK_BYTES;

  private final Path file;
  private final FileChannel channel;
  private final Counts counts;

  /** The entry of the row group that was read last; null if there is none. */
  private @Nullable ByteBuffer lastGroup;

  private int lastGroupNumber;

  private ChunkDirectory(Path file, FileChannel channel, Counts counts) {
    this.file = file;
    this.channel = channel;
    this.counts = counts;
  }

  /**
   * @throws CorruptBlockException if the file is missing, or its size differs from that in its
   *     header
   */
  static ChunkDirectory open(Path block) throws IOException {
    Path file = block.resolve(ChunkDirectoryLayout.FILE_NAME);
    FileChannel channel;
    try {
      channel = FileChannel.open(file, StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      throw new CorruptBlockException(file, 0, "no file", "a chunk directory");
    }
    try {
      return new ChunkDirectory(file, channel, readCounts(file, channel));
    } catch (Throwable e) {
      FirstFailure.close(e, channel);
      throw e;
    }
  }

  private static Counts readCounts(Path file, FileChannel channel) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(ChunkDirectoryLayout.HEADER_BYTES);
    FileByteSource.readFully(file, channel, header, 0);
    header.flip();
    if (!ChunkDirectoryLayout.sound(header, 0, header.limit())
        || header.getLong() != ChunkDirectoryLayout.MAGIC) {
      throw new CorruptBlockException(file, 0, "another header", "that of a chunk directory");
    }
    Counts counts =
        new Counts(
            header.getInt(), header.getInt(), header.getInt(), header.getInt(), header.getInt());
    if (counts.fileBytes() != channel.size()) {
      throw new CorruptBlockException(
          file, 0, channel.size() + " bytes", counts.fileBytes() + " bytes");
    }
    return counts;
  }

  /**
   * Returns the chunks of a channel, in log order within each type. The list is empty if the block
   * has no events of the channel.
   */
  List<Chunk> find(String name) throws IOException {
    long hash = ChunkDirectoryLayout.hash(name);
    // Hashes are evenly distributed, so the position of one is known up to about the square root of
    // their number.
    int chunks = counts.chunks();
    int guess = (int) (chunks * ((hash >>> 32) ^ 0x8000_0000L) >>> 32);
    int reach = (int) Math.sqrt(chunks) + SEARCH_ENTRIES / 4;
    int from = Math.max(0, guess - reach);
    int entries = Math.min(chunks, guess + reach) - from;
    ByteBuffer buffer = entries(counts.chunkOffset(from), entries, CHUNK_BYTES);
    boolean within =
        (from == 0 || buffer.getLong(0) < hash)
            && (from + entries == chunks || buffer.getLong((entries - 1) * CHUNK_BYTES) > hash);
    return within ? among(buffer, entries, name, hash) : findFrom(firstOf(hash), name, hash);
  }

  /**
   * Returns an entry at or before the first entry of a hash, by less than {@link #SEARCH_ENTRIES}.
   */
  private int firstOf(long hash) throws IOException {
    int low = 0;
    int high = counts.chunks();
    while (high - low > SEARCH_ENTRIES) {
      int middle = (low + high) >>> 1;
      if (entries(counts.chunkOffset(middle), 1, CHUNK_BYTES).getLong(0) < hash) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private List<Chunk> findFrom(int first, String name, long hash) throws IOException {
    List<Chunk> found = new ArrayList<>();
    boolean beyond = false;
    for (int from = first; from < counts.chunks() && !beyond; from += SEARCH_ENTRIES) {
      int entries = Math.min(SEARCH_ENTRIES, counts.chunks() - from);
      ByteBuffer buffer = entries(counts.chunkOffset(from), entries, CHUNK_BYTES);
      found.addAll(among(buffer, entries, name, hash));
      beyond = buffer.getLong((entries - 1) * CHUNK_BYTES) > hash;
    }
    return found;
  }

  private List<Chunk> among(ByteBuffer buffer, int entries, String name, long hash)
      throws IOException {
    List<Chunk> found = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      if (buffer.getLong(i * CHUNK_BYTES) == hash) {
        Chunk chunk = chunk(buffer, i * CHUNK_BYTES, null, new FileEntry[counts.rowGroups()]);
        if (chunk.channel().equals(name)) {
          found.add(chunk);
        }
      }
    }
    return found;
  }

  /** Returns the number of chunks. */
  int size() {
    return counts.chunks();
  }

  /** Returns every chunk, sorted by hash of the channel's name. */
  List<Chunk> all() throws IOException {
    ByteBuffer names = ByteBuffer.allocate(counts.nameBytes());
    FileByteSource.readFully(file, channel, names, counts.nameOffset(0));
    @Nullable FileEntry[] types = new FileEntry[counts.rowGroups()];
    List<Chunk> all = new ArrayList<>();
    for (int from = 0; from < counts.chunks(); from += 1024) {
      int entries = Math.min(1024, counts.chunks() - from);
      ByteBuffer buffer =
          entries(counts.chunkOffset(from), entries, ChunkDirectoryLayout.CHUNK_BYTES);
      for (int i = 0; i < entries; i++) {
        all.add(chunk(buffer, i * ChunkDirectoryLayout.CHUNK_BYTES, names.array(), types));
      }
    }
    return all;
  }

  /**
   * @param names all names; null to read the name
   * @param types the files of row groups that were read, to which this one is added
   */
  private Chunk chunk(
      ByteBuffer entry, int at, byte @Nullable [] names, @Nullable FileEntry[] types)
      throws IOException {
    int nameOffset = entry.getInt(at + 8);
    int nameBytes = entry.getInt(at + 12);
    if (nameOffset < 0
        || nameBytes < 0
        || nameOffset > counts.nameBytes()
        || nameBytes > counts.nameBytes() - nameOffset) {
      throw corrupt(counts.nameOffset(0), "name at " + nameOffset, "a name inside the file");
    }
    byte[] bytes = new byte[nameBytes];
    if (names != null) {
      System.arraycopy(names, nameOffset, bytes, 0, nameBytes);
    } else {
      FileByteSource.readFully(
          file, channel, ByteBuffer.wrap(bytes), counts.nameOffset(nameOffset));
    }
    // Names have no checksum. The hash in the entry serves as one, because the entry has a
    // checksum.
    if (ChunkDirectoryLayout.hash(bytes) != entry.getLong(at)) {
      throw corrupt(
          counts.nameOffset(nameOffset), "a name of another hash", "that of the chunk's entry");
    }
    String name = new String(bytes, StandardCharsets.UTF_8);
    int rowGroup = entry.getInt(at + 16);
    if (rowGroup < 0 || rowGroup >= counts.rowGroups()) {
      throw corrupt(counts.chunkOffset(0), "row group " + rowGroup, "one of the block");
    }
    FileEntry type = types[rowGroup];
    if (type == null) {
      type = file(fileOf(rowGroup));
      types[rowGroup] = type;
    }
    return new Chunk(
        name,
        type.type(),
        type.waveform(),
        rowGroup,
        entry.getInt(at + 20),
        entry.getInt(at + 24),
        entry.getInt(at + 28),
        entry.getInt(at + 32),
        entry.getLong(at + 36),
        entry.getLong(at + 44),
        entry.getLong(at + 52));
  }

  /** A Parquet file of the block. */
  record FileEntry(ValueType type, boolean waveform, long bytes) {}

  /** Returns the block's Parquet files. */
  List<FileEntry> files() throws IOException {
    List<FileEntry> files = new ArrayList<>();
    for (int i = 0; i < counts.files(); i++) {
      files.add(file(i));
    }
    return files;
  }

  private FileEntry file(int index) throws IOException {
    ByteBuffer entry = entries(counts.fileOffset(index), 1, ChunkDirectoryLayout.FILE_BYTES);
    int type = entry.get(0);
    if (type < 0 || type >= ValueType.count()) {
      throw corrupt(counts.fileOffset(index), "value type " + type, "a known type");
    }
    return new FileEntry(ValueType.of(type), entry.get(1) != 0, entry.getLong(4));
  }

  private int fileOf(int rowGroup) throws IOException {
    int index = rowGroup(rowGroup).getInt(0);
    if (index < 0 || index >= counts.files()) {
      throw corrupt(counts.rowGroupOffset(rowGroup), "file " + index, "one of the block");
    }
    return index;
  }

  private ByteBuffer rowGroup(int number) throws IOException {
    ByteBuffer group = lastGroup;
    if (group == null || number != lastGroupNumber) {
      group = entries(counts.rowGroupOffset(number), 1, ChunkDirectoryLayout.ROW_GROUP_BYTES);
      lastGroup = group;
      lastGroupNumber = number;
    }
    return group;
  }

  /**
   * Returns the layout of the pages of a chunk.
   *
   * @return a layout of the chunk's pages only; page numbers begin at 0, rows are counted from the
   *     row group's first
   */
  RowGroupLayout pages(Chunk chunk) throws IOException {
    ByteBuffer group = rowGroup(chunk.rowGroup());
    int firstPage = group.getInt(4);
    int pages = group.getInt(8);
    if (chunk.firstPage() < 0
        || chunk.pages() < 1
        || pages < 1
        || chunk.firstPage() > pages - chunk.pages()
        || firstPage < 0
        || firstPage > counts.pages() - pages - 1) {
      throw corrupt(
          counts.rowGroupOffset(chunk.rowGroup()),
          "pages " + chunk.firstPage() + " + " + chunk.pages(),
          "pages of the row group's " + pages);
    }
    int entries = chunk.pages() + 1;
    int entryBytes = ChunkDirectoryLayout.PAGE_BYTES;
    ByteBuffer table =
        entries(counts.pageOffset(firstPage + chunk.firstPage()), entries, entryBytes);
    int[] rows = new int[entries];
    long[] min = new long[chunk.pages()];
    long[] max = new long[chunk.pages()];
    for (int page = 0; page < entries; page++) {
      rows[page] = table.getInt(page * entryBytes);
      if (page < chunk.pages()) {
        min[page] = table.getLong(page * entryBytes + 4);
        max[page] = table.getLong(page * entryBytes + 12);
      }
    }
    List<ColumnLayout> columns = new ArrayList<>();
    for (int column = 0; column < EventColumn.count(); column++) {
      int[] starts = new int[entries];
      for (int page = 0; page < entries; page++) {
        starts[page] = table.getInt(page * entryBytes + 20 + 4 * column);
      }
      columns.add(column(group, columnAt(0, column), starts));
    }
    return new RowGroupLayout(List.of(), rows, min, max, columns);
  }

  private ColumnLayout column(ByteBuffer group, int at, int[] starts) throws IOException {
    int encoding = group.get(at);
    if (encoding < 0 || encoding >= ColumnEncoding.values().length) {
      throw corrupt(counts.rowGroupOffset(0), "encoding " + encoding, "a known encoding");
    }
    return new ColumnLayout(
        ColumnEncoding.values()[encoding],
        codec(group, at),
        group.get(at + 2) != 0 ? group.getLong(at + 4) : null,
        group.getLong(at + 12),
        group.getInt(at + 20),
        starts);
  }

  /** Returns the codecs of all columns. */
  Set<Codec> codecs() throws IOException {
    Set<Codec> codecs = EnumSet.noneOf(Codec.class);
    for (int from = 0; from < counts.rowGroups(); from += 1024) {
      int entries = Math.min(1024, counts.rowGroups() - from);
      ByteBuffer groups =
          entries(counts.rowGroupOffset(from), entries, ChunkDirectoryLayout.ROW_GROUP_BYTES);
      for (int i = 0; i < entries; i++) {
        for (int column = 0; column < EventColumn.count(); column++) {
          codecs.add(codec(groups, columnAt(i * ChunkDirectoryLayout.ROW_GROUP_BYTES, column)));
        }
      }
    }
    return codecs;
  }

  private static int columnAt(int group, int column) {
    return group + 12 + column * ChunkDirectoryLayout.COLUMN_BYTES;
  }

  private Codec codec(ByteBuffer groups, int at) throws IOException {
    int codec = groups.get(at + 1);
    if (codec < 0 || codec >= Codec.values().length) {
      throw corrupt(counts.rowGroupOffset(0), "codec " + codec, "a known codec");
    }
    return Codec.values()[codec];
  }

  private ByteBuffer entries(long offset, int entries, int entryBytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(entries * entryBytes);
    FileByteSource.readFully(file, channel, buffer, offset);
    buffer.flip();
    for (int i = 0; i < entries; i++) {
      if (!ChunkDirectoryLayout.sound(buffer, i * entryBytes, (i + 1) * entryBytes)) {
        throw corrupt(
            offset + (long) i * entryBytes, "another checksum", "that of the directory's entry");
      }
    }
    return buffer;
  }

  private CorruptBlockException corrupt(long offset, String found, String expected) {
    return new CorruptBlockException(file, offset, found, expected);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
