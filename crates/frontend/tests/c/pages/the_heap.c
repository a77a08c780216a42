//# memory that is there
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
int test(int n) {
  int *p = malloc(n * sizeof *p), *q = calloc(2, 4);
  *p = *q;
  free(p);
  free(q);
  return 0;
}

//# copies
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int test(void) { int a[2], b[2]; memset(a, 1, sizeof a); memcpy(b, a, 8); return b[1]; }

//# --malloc-may-fail memory that may not be there
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
int test(int n) {
  int *p = malloc(n * sizeof *p), *q = calloc(2, 4);
  *p = *q;
  free(p);
  free(q);
  return 0;
}
