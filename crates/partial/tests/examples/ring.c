/* The shape of token_ring.04 of SV-COMP: a scheduler that lets a master and four transmitters run in
   any order. */
int nondet(void); extern void __assert_fail(const char *, const char *, unsigned, const char *);
int m_st, t1_st, t2_st, t3_st, t4_st, token;
int is_master_triggered(void) { return token == 5; }
int is_transmit1_triggered(void) { return token == 1; }
int is_transmit2_triggered(void) { return token == 2; }
int is_transmit3_triggered(void) { return token == 3; }
int is_transmit4_triggered(void) { return token == 4; }
void update_channels(void) {}
void init_threads(void) { m_st = 0; t1_st = 0; t2_st = 0; t3_st = 0; t4_st = 0; }
void fire_delta_events(void) {}
void reset_delta_events(void) {}
void fire_time_events(void) {}
void reset_time_events(void) {}
void activate_threads(void) {
    if (is_master_triggered()) m_st = 0;
    if (is_transmit1_triggered()) t1_st = 0;
    if (is_transmit2_triggered()) t2_st = 0;
    if (is_transmit3_triggered()) t3_st = 0;
    if (is_transmit4_triggered()) t4_st = 0;
}
int exists_runnable_thread(void) {
    return m_st == 0 || t1_st == 0 || t2_st == 0 || t3_st == 0 || t4_st == 0;
}
void error(void) { __assert_fail("0", "ring.c", 27, "error"); }
void master(void) { m_st = 2; if (token < 0) error(); }
void transmit1(void) { t1_st = 2; }
void transmit2(void) { t2_st = 2; }
void transmit3(void) { t3_st = 2; }
void transmit4(void) { t4_st = 2; }
void eval(void) {
    while (exists_runnable_thread()) {
        if (m_st == 0 && nondet()) { m_st = 1; master(); }
        if (t1_st == 0 && nondet()) { t1_st = 1; transmit1(); }
        if (t2_st == 0 && nondet()) { t2_st = 1; transmit2(); }
        if (t3_st == 0 && nondet()) { t3_st = 1; transmit3(); }
        if (t4_st == 0 && nondet()) { t4_st = 1; transmit4(); }
    }
}
int stop_simulation(void) { return !exists_runnable_thread(); }
void init_model(void) { token = 0; }
void start_simulation(void) {
    int kernel_st, tmp, tmp___0;
    kernel_st = 0;
    update_channels();
    init_threads();
    fire_delta_events();
    activate_threads();
    reset_delta_events();
    while (1) {
        kernel_st = 1;
        eval();
        kernel_st = 2;
        update_channels();
        kernel_st = 3;
        fire_delta_events();
        activate_threads();
        reset_delta_events();
        tmp = exists_runnable_thread();
        if (tmp == 0) {
            kernel_st = 4;
            fire_time_events();
            activate_threads();
            reset_time_events();
        }
        tmp___0 = stop_simulation();
        if (tmp___0) break;
    }
}
int main(void) {
    init_model();
    start_simulation();
    return 0;
}
