// expect: Run ended: returned 0
// A _Bool bit-field shares its byte: copying a structure must not take in its neighbours.
void reach_error(void);

struct flags { _Bool a : 1; _Bool b : 1; unsigned c : 3; };
struct flags global = { 0, 1, 5 };

int main(void) {
    struct flags *p = &global;
    struct flags local = *p;
    if (local.a || !local.b || local.c != 5) reach_error();
    local.b = 0;
    *p = local;
    if (p->a || p->b || p->c != 5) reach_error();
    return 0;
}
