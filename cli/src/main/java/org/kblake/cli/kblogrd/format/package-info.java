/** The output formats of {@code kblogrd}: free, kaleida, sad, csv. */
@NullMarked
package org.kblake.cli.kblogrd.format;

import org.jspecify.annotations.NullMarked;
