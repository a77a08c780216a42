// calls.c: whoever uses the driver calls any of its functions, in any order, as often as it likes.
extern int nondet_int(void);
extern int serial_open(void);
extern int serial_receive(void);
extern void serial_close(void);

int main(void)
{
    while (nondet_int()) {
        switch (nondet_int()) {
        case 0:
            serial_open();
            break;
        case 1:
            serial_receive();
            break;
        case 2:
            serial_close();
            break;
        }
    }
    serial_close();
    return 0;
}
