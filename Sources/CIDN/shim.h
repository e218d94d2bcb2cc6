// The C room of libidn2. Nothing but inclusion: what Swift calls are functions.
#ifndef POSTERN_CIDN_SHIM_H
#define POSTERN_CIDN_SHIM_H

#include <idn2.h>
#include <stdlib.h>

#endif
