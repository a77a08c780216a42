/* Complex numbers, the main part of them. */
#ifndef PROVISO_COMPLEX_H
#define PROVISO_COMPLEX_H
#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#undef I
#define I _Complex_I
#define CMPLX(real, imaginary) __builtin_complex((double)(real), (double)(imaginary))
#define CMPLXF(real, imaginary) __builtin_complex((float)(real), (float)(imaginary))
#define CMPLXL(real, imaginary) __builtin_complex((long double)(real), (long double)(imaginary))
#define __COMPLEX_REAL(name)         \
    double name(double _Complex z);  \
    float name##f(float _Complex z); \
    long double name##l(long double _Complex z);
#define __COMPLEX_COMPLEX(name)               \
    double _Complex name(double _Complex z);  \
    float _Complex name##f(float _Complex z); \
    long double _Complex name##l(long double _Complex z);
__COMPLEX_REAL(cabs)
__COMPLEX_REAL(carg)
__COMPLEX_REAL(cimag)
__COMPLEX_REAL(creal)
__COMPLEX_COMPLEX(cacos)
__COMPLEX_COMPLEX(cacosh)
__COMPLEX_COMPLEX(casin)
__COMPLEX_COMPLEX(casinh)
__COMPLEX_COMPLEX(catan)
__COMPLEX_COMPLEX(catanh)
__COMPLEX_COMPLEX(ccos)
__COMPLEX_COMPLEX(ccosh)
__COMPLEX_COMPLEX(cexp)
__COMPLEX_COMPLEX(clog)
__COMPLEX_COMPLEX(conj)
__COMPLEX_COMPLEX(cproj)
__COMPLEX_COMPLEX(csin)
__COMPLEX_COMPLEX(csinh)
__COMPLEX_COMPLEX(csqrt)
__COMPLEX_COMPLEX(ctan)
__COMPLEX_COMPLEX(ctanh)
double _Complex cpow(double _Complex base, double _Complex exponent);
float _Complex cpowf(float _Complex base, float _Complex exponent);
long double _Complex cpowl(long double _Complex base, long double _Complex exponent);
#undef __COMPLEX_REAL
#undef __COMPLEX_COMPLEX
#ifdef _GNU_SOURCE
double _Complex clog10(double _Complex z);
float _Complex clog10f(float _Complex z);
long double _Complex clog10l(long double _Complex z);
#endif
#endif
