/* Functions that do not return. */
#ifndef PROVISO_STDNORETURN_H
#define PROVISO_STDNORETURN_H
#define noreturn _Noreturn
#endif
