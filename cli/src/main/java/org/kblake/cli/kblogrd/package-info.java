/**
 * The program {@code kblogrd}: one request, one answer. It loads no picocli and no Arrow, because
 * each class takes time at a start.
 */
@NullMarked
package org.kblake.cli.kblogrd;

import org.jspecify.annotations.NullMarked;
