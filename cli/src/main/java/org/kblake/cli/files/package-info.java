/**
 * The Parquet files of a store as other programs read them: which they are, and views over them.
 */
@NullMarked
package org.kblake.cli.files;

import org.jspecify.annotations.NullMarked;
