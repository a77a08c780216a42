// A controller whose output stays within its limits.
// right: TRUE
// BUG: FALSE (unreach-call)  the lower limit is forgotten
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define LOW (-500)
#define HIGH 500

struct pid {
    int kp, ki, kd;
    int sum, last;
};

static int clamp(int value)
{
    if (value > HIGH)
        return HIGH;
#ifndef BUG
    if (value < LOW)
        return LOW;
#endif
    return value;
}

static int step(struct pid *pid, int error)
{
    pid->sum = clamp(pid->sum + error);
    int change = error - pid->last;
    pid->last = error;
    return clamp((pid->kp * error + pid->ki * pid->sum + pid->kd * change) / 16);
}

int main(void)
{
    struct pid pid = { .kp = 20, .ki = 3, .kd = 8 };
    for (int i = 0; i < 4; i++) {
        int error = __VERIFIER_nondet_int();
        if (error < -1000 || error > 1000)
            return 0;
        int output = step(&pid, error);
        assert(output >= LOW && output <= HIGH);
    }
    return 0;
}
