/* Files of a local directory. */
#define _GNU_SOURCE
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static const char *backing;

static void behind(char *real, const char *path)
{
    snprintf(real, PATH_MAX, "%s%s", backing, path);
}

int files_begin(const char *root)
{
    backing = root;
    return 0;
}

int files_look(const char *path, struct stat *out)
{
    char real[PATH_MAX];
    behind(real, path);
    return lstat(real, out) == 0 ? 0 : -errno;
}

int files_link(const char *path, char *out, size_t size)
{
    char real[PATH_MAX];
    behind(real, path);
    ssize_t length = readlink(real, out, size - 1);
    if (length < 0)
        return -errno;
    out[length] = 0;
    return 0;
}

int files_list(const char *path, void (*each)(void *to, const char *name, const struct stat *kind),
               void *to)
{
    char real[PATH_MAX];
    behind(real, path);
    DIR *directory = opendir(real);
    if (directory == NULL)
        return -errno;
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        struct stat kind = {.st_ino = entry->d_ino, .st_mode = (mode_t) entry->d_type << 12};
        each(to, entry->d_name, &kind);
    }
    closedir(directory);
    return 0;
}

int64_t files_open(const char *path, int flags, mode_t mode)
{
    char real[PATH_MAX];
    behind(real, path);
    int file = open(real, (flags & ~O_DIRECT) | O_CLOEXEC, mode);
    return file < 0 ? -errno : file;
}

int files_facts(uint64_t file, struct stat *out)
{
    return fstat((int) file, out) == 0 ? 0 : -errno;
}

ssize_t files_read(uint64_t file, char *out, size_t size, off_t offset)
{
    ssize_t count = pread((int) file, out, size, offset);
    return count < 0 ? -errno : count;
}

void files_close(uint64_t file)
{
    close((int) file);
}

ssize_t files_write(uint64_t file, const char *bytes, size_t size, off_t offset)
{
    ssize_t count = pwrite((int) file, bytes, size, offset);
    return count < 0 ? -errno : count;
}

int files_truncate(const char *path, off_t size)
{
    char real[PATH_MAX];
    behind(real, path);
    return truncate(real, size) == 0 ? 0 : -errno;
}

int files_rename(const char *from, const char *to, unsigned int flags)
{
    char real[PATH_MAX], target[PATH_MAX];
    behind(real, from);
    behind(target, to);
    return renameat2(AT_FDCWD, real, AT_FDCWD, target, flags) == 0 ? 0 : -errno;
}

int files_name(const char *from, const char *to)
{
    char real[PATH_MAX], target[PATH_MAX];
    behind(real, from);
    behind(target, to);
    return link(real, target) == 0 ? 0 : -errno;
}

int files_remove(const char *path)
{
    char real[PATH_MAX];
    behind(real, path);
    return remove(real) == 0 ? 0 : -errno;
}

int files_directory(const char *path, mode_t mode)
{
    char real[PATH_MAX];
    behind(real, path);
    return mkdir(real, mode) == 0 ? 0 : -errno;
}

int files_mode(const char *path, mode_t mode)
{
    char real[PATH_MAX];
    behind(real, path);
    return chmod(real, mode) == 0 ? 0 : -errno;
}

int files_times(const char *path, const struct timespec times[2])
{
    char real[PATH_MAX];
    behind(real, path);
    return utimensat(AT_FDCWD, real, times, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : -errno;
}

int files_space(const char *path, struct statvfs *out)
{
    char real[PATH_MAX];
    behind(real, path);
    return statvfs(real, out) == 0 ? 0 : -errno;
}
