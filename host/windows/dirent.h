/* dirent.h as POSIX has it: files can be opened and removed by their name in an open folder. */
#ifndef NONET_WINDOWS_DIRENT_H
#define NONET_WINDOWS_DIRENT_H

typedef struct windows_folder DIR;

struct dirent {
    char d_name[260];
};

DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int dirfd(DIR *folder);
int closedir(DIR *folder);

#endif
