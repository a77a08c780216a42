/* Models of math.h, those that are exact by operations on the bits of IEEE numbers, first for double,
 * then for float. The rounding mode is to nearest. */

union double_bits {
    double value;
    unsigned long long bits;
};

/* The number of a sign and a magnitude, both as bits. */
static double double_of(unsigned long long sign, unsigned long long magnitude)
{
    union double_bits result;
    result.bits = sign | magnitude;
    return result.value;
}

double frexp(double x, int *exponent)
{
    union double_bits number;
    int biased;
    number.value = x;
    biased = (int)(number.bits >> 52) & 0x7ff;
    if (biased == 0x7ff || (number.bits & 0x7fffffffffffffffULL) == 0) {
        *exponent = 0;
        return x;
    }
    if (biased == 0) {
        unsigned long long magnitude = number.bits & 0xfffffffffffffULL;
        biased = 1;
        while ((magnitude & 0x10000000000000ULL) == 0) {
            magnitude <<= 1;
            biased--;
        }
        number.bits = (number.bits & 0x8000000000000000ULL) | magnitude;
    }
    *exponent = biased - 1022;
    number.bits = (number.bits & 0x800fffffffffffffULL) | 0x3fe0000000000000ULL;
    return number.value;
}

double scalbln(double x, long exponent)
{
    union double_bits number;
    unsigned long long sign, magnitude, rest, half;
    int biased, shift;
    number.value = x;
    sign = number.bits & 0x8000000000000000ULL;
    magnitude = number.bits & 0xfffffffffffffULL;
    biased = (int)(number.bits >> 52) & 0x7ff;
    if (biased == 0x7ff || (biased == 0 && magnitude == 0))
        return x;
    if (biased != 0) {
        magnitude |= 0x10000000000000ULL;
    } else {
        biased = 1;
        while ((magnitude & 0x10000000000000ULL) == 0) {
            magnitude <<= 1;
            biased--;
        }
    }
    if (exponent > 5000)
        exponent = 5000;
    if (exponent < -5000)
        exponent = -5000;
    biased += (int)exponent;
    if (biased >= 0x7ff)
        return double_of(sign, 0x7ff0000000000000ULL);
    if (biased >= 1)
        return double_of(sign, (magnitude & 0xfffffffffffffULL) | ((unsigned long long)biased << 52));
    shift = 1 - biased;
    if (shift > 54)
        return double_of(sign, 0);
    half = (unsigned long long)1 << (shift - 1);
    rest = magnitude & (half + half - 1);
    magnitude >>= shift;
    if (rest > half || (rest == half && (magnitude & 1) != 0))
        magnitude++;
    return double_of(sign, magnitude);
}

double scalbn(double x, int exponent)
{
    return scalbln(x, exponent);
}

double ldexp(double x, int exponent)
{
    return scalbln(x, exponent);
}

double modf(double x, double *whole)
{
    union double_bits number;
    unsigned long long sign, fraction;
    int exponent;
    number.value = x;
    sign = number.bits & 0x8000000000000000ULL;
    exponent = ((int)(number.bits >> 52) & 0x7ff) - 1023;
    if (exponent < 0) {
        *whole = double_of(sign, 0);
        return x;
    }
    if (exponent >= 52) {
        *whole = x;
        return x != x ? x : double_of(sign, 0);
    }
    fraction = number.bits & (0xfffffffffffffULL >> exponent);
    number.bits -= fraction;
    *whole = number.value;
    return fraction == 0 ? double_of(sign, 0) : x - number.value;
}

int ilogb(double x)
{
    union double_bits number;
    unsigned long long magnitude;
    int biased;
    number.value = x;
    magnitude = number.bits & 0xfffffffffffffULL;
    biased = (int)(number.bits >> 52) & 0x7ff;
    if (biased == 0x7ff)
        return magnitude == 0 ? __INT_MAX__ : -__INT_MAX__ - 1;
    if (biased == 0) {
        if (magnitude == 0)
            return -__INT_MAX__ - 1;
        biased = 1;
        while ((magnitude & 0x10000000000000ULL) == 0) {
            magnitude <<= 1;
            biased--;
        }
    }
    return biased - 1023;
}

double logb(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return double_of(0x8000000000000000ULL, 0x7ff0000000000000ULL);
    if (ilogb(x) == __INT_MAX__)
        return double_of(0, 0x7ff0000000000000ULL);
    return (double)ilogb(x);
}

double nextafter(double x, double y)
{
    union double_bits number;
    union double_bits goal;
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    number.value = x;
    goal.value = y;
    if (x == 0)
        number.bits = (goal.bits & 0x8000000000000000ULL) | 1;
    else if ((x < y) == (x > 0))
        number.bits++;
    else
        number.bits--;
    return number.value;
}

/* Out of range: the least value, as x86 has it. Halves go to the even neighbour. */
long long llrint(double x)
{
    union double_bits number;
    unsigned long long magnitude, rest, half;
    int exponent;
    long long whole;
    number.value = x;
    magnitude = (number.bits & 0xfffffffffffffULL) | 0x10000000000000ULL;
    exponent = ((int)(number.bits >> 52) & 0x7ff) - 1023;
    if (exponent < -1)
        return 0;
    if (exponent >= 63)
        return -__LONG_LONG_MAX__ - 1;
    if (exponent >= 52) {
        whole = (long long)magnitude << (exponent - 52);
    } else {
        half = 0x10000000000000ULL >> (exponent + 1);
        rest = magnitude & (half + half - 1);
        magnitude = (magnitude - rest) >> (51 - exponent) >> 1;
        if (rest > half || (rest == half && (magnitude & 1) != 0))
            magnitude++;
        whole = (long long)magnitude;
    }
    return (number.bits & 0x8000000000000000ULL) != 0 ? -whole : whole;
}

/* Out of range: the least value, as x86 has it. Halves go away from zero. */
long long llround(double x)
{
    union double_bits number;
    unsigned long long magnitude;
    int exponent;
    long long whole;
    number.value = x;
    magnitude = (number.bits & 0xfffffffffffffULL) | 0x10000000000000ULL;
    exponent = ((int)(number.bits >> 52) & 0x7ff) - 1023;
    if (exponent < -1)
        return 0;
    if (exponent >= 63)
        return -__LONG_LONG_MAX__ - 1;
    if (exponent >= 52) {
        whole = (long long)magnitude << (exponent - 52);
    } else {
        magnitude += 0x10000000000000ULL >> (exponent + 1);
        whole = (long long)(magnitude >> (51 - exponent) >> 1);
    }
    return (number.bits & 0x8000000000000000ULL) != 0 ? -whole : whole;
}

long lrint(double x)
{
    long long whole = llrint(x);
    return whole > __LONG_MAX__ || whole < -__LONG_MAX__ ? -__LONG_MAX__ - 1 : (long)whole;
}

long lround(double x)
{
    long long whole = llround(x);
    return whole > __LONG_MAX__ || whole < -__LONG_MAX__ ? -__LONG_MAX__ - 1 : (long)whole;
}

/* *quotient gets the lowest three bits of the quotient's magnitude, with the sign (the language asks
 * for a number congruent to it modulo 8). Long division of one significand by the other, a bit at a
 * time. */
double remquo(double x, double y, int *quotient)
{
    union double_bits number;
    union double_bits divisor;
    unsigned long long sign, left, right;
    int exponent, least, negative;
    unsigned int count = 0;
    number.value = x;
    divisor.value = y;
    sign = number.bits & 0x8000000000000000ULL;
    negative = (number.bits ^ divisor.bits) >= 0x8000000000000000ULL;
    exponent = (int)(number.bits >> 52) & 0x7ff;
    least = (int)(divisor.bits >> 52) & 0x7ff;
    left = number.bits & 0xfffffffffffffULL;
    right = divisor.bits & 0xfffffffffffffULL;
    if (x != x || y != y || y == 0 || exponent == 0x7ff)
        return double_of(0, 0x7ff8000000000000ULL);
    *quotient = 0;
    if (x == 0 || least == 0x7ff)
        return x;
    if (exponent != 0)
        left |= 0x10000000000000ULL;
    else
        exponent = 1;
    if (least != 0)
        right |= 0x10000000000000ULL;
    else
        least = 1;
    while ((left & 0x10000000000000ULL) == 0) {
        left <<= 1;
        exponent--;
    }
    while ((right & 0x10000000000000ULL) == 0) {
        right <<= 1;
        least--;
    }
    if (exponent < least - 1)
        return x;
    if (exponent < least) {
        right <<= 1;
    } else {
        for (;;) {
            count <<= 1;
            if (left >= right) {
                left -= right;
                count |= 1;
            }
            if (exponent == least)
                break;
            left <<= 1;
            exponent--;
        }
    }
    if (left + left > right || (left + left == right && (count & 1) != 0)) {
        left = right - left;
        sign ^= 0x8000000000000000ULL;
        count++;
    }
    *quotient = negative ? -(int)(count & 7) : (int)(count & 7);
    if (left == 0)
        return double_of(number.bits & 0x8000000000000000ULL, 0);
    while ((left & 0x10000000000000ULL) == 0) {
        left <<= 1;
        exponent--;
    }
    if (exponent >= 1)
        return double_of(sign, (left & 0xfffffffffffffULL) | ((unsigned long long)exponent << 52));
    return double_of(sign, left >> (1 - exponent));
}

union float_bits {
    float value;
    unsigned int bits;
};

/* The number of a sign and a magnitude, both as bits. */
static float float_of(unsigned int sign, unsigned int magnitude)
{
    union float_bits result;
    result.bits = sign | magnitude;
    return result.value;
}

float frexpf(float x, int *exponent)
{
    union float_bits number;
    int biased;
    number.value = x;
    biased = (int)(number.bits >> 23) & 0xff;
    if (biased == 0xff || (number.bits & 0x7fffffffU) == 0) {
        *exponent = 0;
        return x;
    }
    if (biased == 0) {
        unsigned int magnitude = number.bits & 0x7fffffU;
        biased = 1;
        while ((magnitude & 0x800000U) == 0) {
            magnitude <<= 1;
            biased--;
        }
        number.bits = (number.bits & 0x80000000U) | magnitude;
    }
    *exponent = biased - 126;
    number.bits = (number.bits & 0x807fffffU) | 0x3f000000U;
    return number.value;
}

float scalblnf(float x, long exponent)
{
    union float_bits number;
    unsigned int sign, magnitude, rest, half;
    int biased, shift;
    number.value = x;
    sign = number.bits & 0x80000000U;
    magnitude = number.bits & 0x7fffffU;
    biased = (int)(number.bits >> 23) & 0xff;
    if (biased == 0xff || (biased == 0 && magnitude == 0))
        return x;
    if (biased != 0) {
        magnitude |= 0x800000U;
    } else {
        biased = 1;
        while ((magnitude & 0x800000U) == 0) {
            magnitude <<= 1;
            biased--;
        }
    }
    if (exponent > 1000)
        exponent = 1000;
    if (exponent < -1000)
        exponent = -1000;
    biased += (int)exponent;
    if (biased >= 0xff)
        return float_of(sign, 0x7f800000U);
    if (biased >= 1)
        return float_of(sign, (magnitude & 0x7fffffU) | ((unsigned int)biased << 23));
    shift = 1 - biased;
    if (shift > 25)
        return float_of(sign, 0);
    half = (unsigned int)1 << (shift - 1);
    rest = magnitude & (half + half - 1);
    magnitude >>= shift;
    if (rest > half || (rest == half && (magnitude & 1) != 0))
        magnitude++;
    return float_of(sign, magnitude);
}

float scalbnf(float x, int exponent)
{
    return scalblnf(x, exponent);
}

float ldexpf(float x, int exponent)
{
    return scalblnf(x, exponent);
}

float modff(float x, float *whole)
{
    union float_bits number;
    unsigned int sign, fraction;
    int exponent;
    number.value = x;
    sign = number.bits & 0x80000000U;
    exponent = ((int)(number.bits >> 23) & 0xff) - 127;
    if (exponent < 0) {
        *whole = float_of(sign, 0);
        return x;
    }
    if (exponent >= 23) {
        *whole = x;
        return x != x ? x : float_of(sign, 0);
    }
    fraction = number.bits & (0x7fffffU >> exponent);
    number.bits -= fraction;
    *whole = number.value;
    return fraction == 0 ? float_of(sign, 0) : x - number.value;
}

int ilogbf(float x)
{
    union float_bits number;
    unsigned int magnitude;
    int biased;
    number.value = x;
    magnitude = number.bits & 0x7fffffU;
    biased = (int)(number.bits >> 23) & 0xff;
    if (biased == 0xff)
        return magnitude == 0 ? __INT_MAX__ : -__INT_MAX__ - 1;
    if (biased == 0) {
        if (magnitude == 0)
            return -__INT_MAX__ - 1;
        biased = 1;
        while ((magnitude & 0x800000U) == 0) {
            magnitude <<= 1;
            biased--;
        }
    }
    return biased - 127;
}

float logbf(float x)
{
    if (x != x)
        return x;
    if (x == 0)
        return float_of(0x80000000U, 0x7f800000U);
    if (ilogbf(x) == __INT_MAX__)
        return float_of(0, 0x7f800000U);
    return (float)ilogbf(x);
}

float nextafterf(float x, float y)
{
    union float_bits number;
    union float_bits goal;
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    number.value = x;
    goal.value = y;
    if (x == 0)
        number.bits = (goal.bits & 0x80000000U) | 1;
    else if ((x < y) == (x > 0))
        number.bits++;
    else
        number.bits--;
    return number.value;
}

/* Out of range: the least value, as x86 has it. Halves go to the even neighbour. */
long long llrintf(float x)
{
    union float_bits number;
    unsigned int magnitude, rest, half;
    int exponent;
    long long whole;
    number.value = x;
    magnitude = (number.bits & 0x7fffffU) | 0x800000U;
    exponent = ((int)(number.bits >> 23) & 0xff) - 127;
    if (exponent < -1)
        return 0;
    if (exponent >= 63)
        return -__LONG_LONG_MAX__ - 1;
    if (exponent >= 23) {
        whole = (long long)magnitude << (exponent - 23);
    } else {
        half = 0x800000U >> (exponent + 1);
        rest = magnitude & (half + half - 1);
        magnitude = (magnitude - rest) >> (22 - exponent) >> 1;
        if (rest > half || (rest == half && (magnitude & 1) != 0))
            magnitude++;
        whole = (long long)magnitude;
    }
    return (number.bits & 0x80000000U) != 0 ? -whole : whole;
}

/* Out of range: the least value, as x86 has it. Halves go away from zero. */
long long llroundf(float x)
{
    union float_bits number;
    unsigned int magnitude;
    int exponent;
    long long whole;
    number.value = x;
    magnitude = (number.bits & 0x7fffffU) | 0x800000U;
    exponent = ((int)(number.bits >> 23) & 0xff) - 127;
    if (exponent < -1)
        return 0;
    if (exponent >= 63)
        return -__LONG_LONG_MAX__ - 1;
    if (exponent >= 23) {
        whole = (long long)magnitude << (exponent - 23);
    } else {
        magnitude += 0x800000U >> (exponent + 1);
        whole = (long long)(magnitude >> (22 - exponent) >> 1);
    }
    return (number.bits & 0x80000000U) != 0 ? -whole : whole;
}

long lrintf(float x)
{
    long long whole = llrintf(x);
    return whole > __LONG_MAX__ || whole < -__LONG_MAX__ ? -__LONG_MAX__ - 1 : (long)whole;
}

long lroundf(float x)
{
    long long whole = llroundf(x);
    return whole > __LONG_MAX__ || whole < -__LONG_MAX__ ? -__LONG_MAX__ - 1 : (long)whole;
}

/* *quotient gets the lowest three bits of the quotient's magnitude, with the sign (the language asks
 * for a number congruent to it modulo 8). Long division of one significand by the other, a bit at a
 * time. */
float remquof(float x, float y, int *quotient)
{
    union float_bits number;
    union float_bits divisor;
    unsigned int sign, left, right;
    int exponent, least, negative;
    unsigned int count = 0;
    number.value = x;
    divisor.value = y;
    sign = number.bits & 0x80000000U;
    negative = (number.bits ^ divisor.bits) >= 0x80000000U;
    exponent = (int)(number.bits >> 23) & 0xff;
    least = (int)(divisor.bits >> 23) & 0xff;
    left = number.bits & 0x7fffffU;
    right = divisor.bits & 0x7fffffU;
    if (x != x || y != y || y == 0 || exponent == 0xff)
        return float_of(0, 0x7fc00000U);
    *quotient = 0;
    if (x == 0 || least == 0xff)
        return x;
    if (exponent != 0)
        left |= 0x800000U;
    else
        exponent = 1;
    if (least != 0)
        right |= 0x800000U;
    else
        least = 1;
    while ((left & 0x800000U) == 0) {
        left <<= 1;
        exponent--;
    }
    while ((right & 0x800000U) == 0) {
        right <<= 1;
        least--;
    }
    if (exponent < least - 1)
        return x;
    if (exponent < least) {
        right <<= 1;
    } else {
        for (;;) {
            count <<= 1;
            if (left >= right) {
                left -= right;
                count |= 1;
            }
            if (exponent == least)
                break;
            left <<= 1;
            exponent--;
        }
    }
    if (left + left > right || (left + left == right && (count & 1) != 0)) {
        left = right - left;
        sign ^= 0x80000000U;
        count++;
    }
    *quotient = negative ? -(int)(count & 7) : (int)(count & 7);
    if (left == 0)
        return float_of(number.bits & 0x80000000U, 0);
    while ((left & 0x800000U) == 0) {
        left <<= 1;
        exponent--;
    }
    if (exponent >= 1)
        return float_of(sign, (left & 0x7fffffU) | ((unsigned int)exponent << 23));
    return float_of(sign, left >> (1 - exponent));
}
