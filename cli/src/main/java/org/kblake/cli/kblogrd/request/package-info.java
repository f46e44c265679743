/** The command line of {@code kblogrd}: options, times, record names. */
@NullMarked
package org.kblake.cli.kblogrd.request;

import org.jspecify.annotations.NullMarked;
