// Fig. 1 of the paper on explicit values with refinement (Beyer & Löwe 2012).
extern int system_call();
int main(int x) {
  int flag, ticks, result;
  flag = 0; ticks = 0;
  while (1) {
    ticks = ticks + 1;
    result = system_call();
    if (result == 0 || ticks > x) { break; }
  }
  if (flag > 0) { ERROR: return 1; }
}
