/* Classes of characters. All are functions, none is a table look-up. */
#ifndef PROVISO_CTYPE_H
#define PROVISO_CTYPE_H
int isalnum(int c);
int isalpha(int c);
int isblank(int c);
int iscntrl(int c);
int isdigit(int c);
int isgraph(int c);
int islower(int c);
int isprint(int c);
int ispunct(int c);
int isspace(int c);
int isupper(int c);
int isxdigit(int c);
int tolower(int c);
int toupper(int c);
int isascii(int c);
int toascii(int c);
#define _tolower(c) ((int)tolower(c))
#define _toupper(c) ((int)toupper(c))
#endif
