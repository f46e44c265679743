/** Answers as lines of CSV, TSV and JSON. */
@NullMarked
package org.kblake.format.text;

import org.jspecify.annotations.NullMarked;
