/**
 * The values, logs, mirror and store that all modules of kblake use. Other programs may use the
 * packages that are not internal.
 */
@SuppressWarnings({
  "module", // the modules that the exports name are compiled after this one
  "requires-automatic" // LZ4, aircompressor and the Parquet format have no module declaration
})
module org.kblake.core {
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.dataformat.csv;
  requires aircompressor;
  requires com.github.luben.zstd_jni;
  requires org.lz4.java;
  requires org.slf4j;
  requires parquet.format.structures;
  requires transitive org.jspecify;

  uses org.kblake.core.layout.LogLayout;

  exports org.kblake.core.archive;
  exports org.kblake.core.columns;
  exports org.kblake.core.layout;
  exports org.kblake.core.log;
  exports org.kblake.core.metadata;
  exports org.kblake.core.model;
  exports org.kblake.core.store;
  exports org.kblake.core.internal.cache to
      org.kblake.query;
  exports org.kblake.core.internal.columns to
      org.kblake.ingest,
      org.kblake.query;
  exports org.kblake.core.internal.log.archive to
      org.kblake.cli,
      org.kblake.ingest,
      org.kblake.query,
      org.kblake.record;
  exports org.kblake.core.internal.log.encode to
      org.kblake.ingest,
      org.kblake.query,
      org.kblake.record;
  exports org.kblake.core.internal.log.file to
      org.kblake.cli,
      org.kblake.ingest,
      org.kblake.query,
      org.kblake.transfer;
  exports org.kblake.core.internal.log.inspect to
      org.kblake.cli;
  exports org.kblake.core.internal.log.pair to
      org.kblake.cli,
      org.kblake.ingest,
      org.kblake.query,
      org.kblake.record,
      org.kblake.transfer;
  exports org.kblake.core.internal.log.scan to
      org.kblake.cli,
      org.kblake.ingest,
      org.kblake.query,
      org.kblake.record;
  exports org.kblake.core.internal.mirror to
      org.kblake.cli,
      org.kblake.ingest,
      org.kblake.query;
  exports org.kblake.core.internal.parquet.encoding to
      org.kblake.format,
      org.kblake.query;
  exports org.kblake.core.internal.parquet.file to
      org.kblake.cli,
      org.kblake.format,
      org.kblake.ingest;
  exports org.kblake.core.internal.parquet.page to
      org.kblake.format;
  exports org.kblake.core.internal.parquet.read to
      org.kblake.format;
  exports org.kblake.core.internal.parquet.write to
      org.kblake.format,
      org.kblake.ingest;
  exports org.kblake.core.internal.store to
      org.kblake.cli,
      org.kblake.ingest,
      org.kblake.query,
      org.kblake.ship,
      org.kblake.transfer;
  exports org.kblake.core.internal.store.access to
      org.kblake.cli,
      org.kblake.ingest,
      org.kblake.query;
  exports org.kblake.core.internal.store.block to
      org.kblake.cli,
      org.kblake.ingest,
      org.kblake.query;
  exports org.kblake.core.internal.store.chunk to
      org.kblake.cli,
      org.kblake.ingest,
      org.kblake.query;
  exports org.kblake.core.internal.store.file to
      org.kblake.cli,
      org.kblake.ingest,
      org.kblake.ship,
      org.kblake.transfer;
  exports org.kblake.core.internal.store.rollup to
      org.kblake.ingest,
      org.kblake.query;
  exports org.kblake.core.internal.sums to
      org.kblake.query;
}
