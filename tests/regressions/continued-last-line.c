// expect: Run ended: returned 0
// The last line is continued, and nothing follows.
int main(void) { return 0; }\
