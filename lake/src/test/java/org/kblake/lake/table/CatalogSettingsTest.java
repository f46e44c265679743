package org.kblake.lake.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CatalogSettingsTest {

  /** Objects of S3 below {@code lake//} are others than those below {@code lake/}. */
  @ParameterizedTest
  @CsvSource({
    "s3://bucket/lake/, s3://bucket/lake",
    "s3://bucket/lake//, s3://bucket/lake",
    "s3://bucket/, s3://bucket",
    "hdfs://host:8020/tables, hdfs://host:8020/tables",
    "file:/tables/, file:/tables",
    "file:///, file:///",
    "/, /"
  })
  void aLocationHasNoSlashAtItsEnd(String named, String location) {
    assertThat(new CatalogSettings("jdbc", named, Map.of(), Map.of()).location())
        .isEqualTo(location);
  }
}
