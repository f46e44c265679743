/**
 * The commands below {@code kblake lake}.
 *
 * <p>May use {@code cli.extension}, {@code cli.frame}, {@code cli.error}.
 */
@NullMarked
package org.kblake.lake;

import org.jspecify.annotations.NullMarked;
