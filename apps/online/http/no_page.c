/* Stands in for the page in a build without one. */
#include "site.h"

const struct site_file site_files[] = {{0}};
