/** The Parquet files of a store for other programs: the list of the files, and views over them. */
@NullMarked
package org.kblake.cli.files;

import org.jspecify.annotations.NullMarked;
