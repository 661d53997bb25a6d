/* Files by names from outside, opened so that nothing surprising happens. A pipe or a device
 * instead of a file is refused and not waited for. The size of what is read is bounded. Nothing is
 * ever written into an existing file, so that a link that somebody else made has no effect. The
 * functions add the reason to `why`, without the file's name. */
#ifndef NONET_HOST_FILES_H
#define NONET_HOST_FILES_H

#include "base/text.h"

enum { FILES_PATH = 4096 + 32 }; /* room for a name that files_create makes */

/* Opens a regular file to read it at any offset: tables and checkpoints. -1 with the reason, and
 * errno: ENOENT or ENOTDIR if there is no file. */
int files_open(const char *path, uint64_t *size, struct nonet_text *why);

/* Copies bytes from an offset of an open file; false at the end of the file, or if reading fails.
 */
bool files_fetch(int file, uint64_t offset, void *bytes, size_t size);

/* All bytes of a file that a person named, up to `most` of them, with a zero byte after them; to be
 * freed. "-" is the standard input. A pipe is allowed too, as in `nonet replay <(command)`, and is
 * waited for as usual. Null with the reason. */
char *files_read(const char *path, size_t most, size_t *size, struct nonet_text *why);

/* Creates a file beside `path`. Its name is `path`, `mark` and random letters that nobody can
 * predict. It is open for writing and locked. -1 with errno. */
int files_create(const char *path, const char *mark, unsigned mode, char name[FILES_PATH]);

/* Removes what files_create left when its program was killed: regular files of this user, with such
 * a name, that nobody has locked. False if one is locked: another program is working there. */
bool files_clear(const char *path, const char *mark);

bool files_write(int file, const void *bytes, size_t size);

/* Gives a file that was written under another name its own name. Contents and name are safe from a
 * power cut. False with errno. */
bool files_rename(int file, const char *from, const char *to);

/* Replaces or creates a file: at any moment it has its old contents, or all of the new bytes. */
bool files_replace(const char *path, unsigned mode, const void *bytes, size_t size,
                   struct nonet_text *why);

/* Whether a path is a folder of this user, not a link to one, that not everybody may write to. */
bool files_own_folder(const char *path, struct nonet_text *why);

/* Bytes from the system's random source. */
bool files_random(void *bytes, size_t size);

#endif
