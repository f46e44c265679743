/*
 * The files behind the file system of the tests: those of a local directory (localfiles.c) or of an
 * NFS server (nfsfiles.c). Paths begin with a slash. Functions that fail return -errno.
 */
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

/* Opens the root: an absolute path, or a URL nfs://... for libnfs. Must be called first, and once. */
int files_begin(const char *root);

/* Acts as lstat. */
int files_look(const char *path, struct stat *out);

/* Acts as readlink, and writes a 0 behind the target. */
int files_link(const char *path, char *out, size_t size);

/* Calls a function for each name of a directory. kind has the inode and the type. */
int files_list(const char *path, void (*each)(void *to, const char *name, const struct stat *kind),
               void *to);

/* Opens a file as open does. Returns its handle for the functions below. */
int64_t files_open(const char *path, int flags, mode_t mode);

/* Acts as fstat. */
int files_facts(uint64_t file, struct stat *out);

/* Acts as pread. */
ssize_t files_read(uint64_t file, char *out, size_t size, off_t offset);

void files_close(uint64_t file);

/* What follows changes files. nfsfiles.c lacks it, because its view is read-only. */
#define CHANGES __attribute__((weak))

/* Acts as pwrite. */
CHANGES ssize_t files_write(uint64_t file, const char *bytes, size_t size, off_t offset);

CHANGES int files_truncate(const char *path, off_t size);
CHANGES int files_rename(const char *from, const char *to, unsigned int flags);

/* Acts as link. */
CHANGES int files_name(const char *from, const char *to);

/* Removes a file or an empty directory. */
CHANGES int files_remove(const char *path);

/* Acts as mkdir. */
CHANGES int files_directory(const char *path, mode_t mode);

/* Acts as chmod. */
CHANGES int files_mode(const char *path, mode_t mode);

/* Acts as utimensat. */
CHANGES int files_times(const char *path, const struct timespec times[2]);

/* Acts as statvfs. */
CHANGES int files_space(const char *path, struct statvfs *out);
