3int f(int n, ...) {
  __builtin_va_list ap; __builtin_va_start(ap, n);
  int a[n + 1]; a[n] = __builtin_va_arg(ap, int);
  __builtin_va_end(ap);
  return ({ int t = a[n]; t ? : sizeof a; });
}
_Bool g; volatile unsigned char c = 255; static const char text[] = "a\n\x41";
int main(int argc, char **argv) { g = c++; if (argc > 1 && **argv) return f(2, argc, 1.0); return text[1] || g; }
