/**
 * The examination of the surroundings of kblake: settings, archive, store and machine. Nothing is
 * written except a file in the store's directory, which is removed.
 */
@NullMarked
package org.kblake.cli.doctor;

import org.jspecify.annotations.NullMarked;
