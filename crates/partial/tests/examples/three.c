int nondet(void);
int main(void) {
    int i = nondet();
    if (i) {
        if (i > 5) {
            i += 5;
            return 0;
        } else {
            i++;
            return 0;
        }
    } else {
        i -= 2;
        i -= 3;
        return 0;
    }
}
