// expect: Run ended: unsupported (an element of a vector) at vector-element.c:7:17
// An element of a vector is named as unsupported, whatever the width of a pointer.
typedef int four __attribute__((vector_size(16)));

int main(void)
{
    four v; int x = v[1];
    return x;
}
