// getenv.c: a model of getenv: no variable, or one with a text of at most three bytes.
extern char nondet_char(void);
extern int nondet_int(void);

char *getenv(const char *name)
{
    static char text[4];
    if (nondet_int())
        return 0;
    for (int i = 0; i < 3; i++)
        text[i] = nondet_char();
    return text;
}
