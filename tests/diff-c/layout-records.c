typedef __typeof__(sizeof(int)) size_t;
int printf(const char *, ...);
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);

#ifdef __SIZEOF_INT128__
typedef __int128 big_t;
#else
typedef long long big_t;
#endif
typedef double double_t_ __attribute__((aligned(4)));
typedef struct { char a; int b; } int_pair_t;
enum low { LOW_A, LOW_B = 3 };
enum minus { MINUS_A = -2, MINUS_B = 5 };
static void dump(const char *name, const void *object, unsigned size) {
    const unsigned char *p = object;
    printf("%s bits", name);
    for (unsigned i = 0; i < size; i++)
    if (p[i]) printf(" %u:%02x", i, p[i]);
    printf("\n");
}
union R0 {
    unsigned short m1 : 16;
};
static union R0 r0;
static void f0(void) {
    printf("R0 %d %d\n", (int)sizeof(union R0), (int)_Alignof(union R0));
    memset(&r0, 0, sizeof r0);
    r0.m1 = -1;
    dump("R0.m1", &r0, sizeof r0);
}

#pragma pack(push, 8)
struct R1 {
    enum low m2;
};
#pragma pack(pop)
static struct R1 r1;
static void f1(void) {
    printf("R1 %d %d\n", (int)sizeof(struct R1), (int)_Alignof(struct R1));
    printf("R1.m2 %d %d\n", (int)__builtin_offsetof(struct R1, m2), (int)sizeof(r1.m2));
}

struct R2 {
    signed char m3;
};
static struct R2 r2;
static void f2(void) {
    printf("R2 %d %d\n", (int)sizeof(struct R2), (int)_Alignof(struct R2));
    printf("R2.m3 %d %d\n", (int)__builtin_offsetof(struct R2, m3), (int)sizeof(r2.m3));
}

union R3 {
    unsigned char m4 : 7 __attribute__((packed));
    struct {
        unsigned char m6 : 8;
        unsigned long : 0;
    } m5;
    signed char m8 : 8;
    unsigned long long m9;
    unsigned long m10 : 30;
    unsigned short m11 : 1;
    int_pair_t m12 __attribute__((packed));
};
static union R3 r3;
static void f3(void) {
    printf("R3 %d %d\n", (int)sizeof(union R3), (int)_Alignof(union R3));
    memset(&r3, 0, sizeof r3);
    r3.m4 = -1;
    dump("R3.m4", &r3, sizeof r3);
    printf("R3.m5 %d %d\n", (int)__builtin_offsetof(union R3, m5), (int)sizeof(r3.m5));
    memset(&r3, 0, sizeof r3);
    r3.m5.m6 = -1;
    dump("R3.m5.m6", &r3, sizeof r3);
    memset(&r3, 0, sizeof r3);
    r3.m8 = -1;
    dump("R3.m8", &r3, sizeof r3);
    printf("R3.m9 %d %d\n", (int)__builtin_offsetof(union R3, m9), (int)sizeof(r3.m9));
    memset(&r3, 0, sizeof r3);
    r3.m10 = -1;
    dump("R3.m10", &r3, sizeof r3);
    memset(&r3, 0, sizeof r3);
    r3.m11 = -1;
    dump("R3.m11", &r3, sizeof r3);
    printf("R3.m12 %d %d\n", (int)__builtin_offsetof(union R3, m12), (int)sizeof(r3.m12));
}

struct R4 {
    long long m13 : 31;
    unsigned long m14 : 4;
    long long m15;
    long m16;
    unsigned char m17 : 8;
    _Bool m18;
    float m19 __attribute__((packed));
    char m20;
} __attribute__((packed));
static struct R4 r4;
static void f4(void) {
    printf("R4 %d %d\n", (int)sizeof(struct R4), (int)_Alignof(struct R4));
    memset(&r4, 0, sizeof r4);
    r4.m13 = -1;
    dump("R4.m13", &r4, sizeof r4);
    memset(&r4, 0, sizeof r4);
    r4.m14 = -1;
    dump("R4.m14", &r4, sizeof r4);
    printf("R4.m15 %d %d\n", (int)__builtin_offsetof(struct R4, m15), (int)sizeof(r4.m15));
    printf("R4.m16 %d %d\n", (int)__builtin_offsetof(struct R4, m16), (int)sizeof(r4.m16));
    memset(&r4, 0, sizeof r4);
    r4.m17 = -1;
    dump("R4.m17", &r4, sizeof r4);
    printf("R4.m18 %d %d\n", (int)__builtin_offsetof(struct R4, m18), (int)sizeof(r4.m18));
    printf("R4.m19 %d %d\n", (int)__builtin_offsetof(struct R4, m19), (int)sizeof(r4.m19));
}

struct R5 {
    union {
        unsigned long m23;
        enum minus m24 : 24;
        unsigned char m25[4];
    } __attribute__((packed)) m22;
    enum low m26 : 22;
    struct {
        long m28;
        unsigned char m29;
        int m30;
        unsigned long m31 : 32;
    } m27;
    enum low m32[5][1];
    long : 0;
    int m34;
    long long m35 : 11;
    unsigned short m36 : 16;
    int m37;
};
static struct R5 r5;
static void f5(void) {
    printf("R5 %d %d\n", (int)sizeof(struct R5), (int)_Alignof(struct R5));
    printf("R5.m22 %d %d\n", (int)__builtin_offsetof(struct R5, m22), (int)sizeof(r5.m22));
    printf("R5.m22.m23 %d %d\n", (int)__builtin_offsetof(struct R5, m22.m23), (int)sizeof(r5.m22.m23));
    memset(&r5, 0, sizeof r5);
    r5.m22.m24 = -1;
    dump("R5.m22.m24", &r5, sizeof r5);
    printf("R5.m22.m25[3] %d %d\n", (int)__builtin_offsetof(struct R5, m22.m25[3]), (int)sizeof(r5.m22.m25[3]));
    printf("R5.m22.m25 %d %d\n", (int)__builtin_offsetof(struct R5, m22.m25), (int)sizeof(r5.m22.m25));
    memset(&r5, 0, sizeof r5);
    r5.m26 = -1;
    dump("R5.m26", &r5, sizeof r5);
    printf("R5.m27 %d %d\n", (int)__builtin_offsetof(struct R5, m27), (int)sizeof(r5.m27));
    printf("R5.m27.m28 %d %d\n", (int)__builtin_offsetof(struct R5, m27.m28), (int)sizeof(r5.m27.m28));
    printf("R5.m27.m29 %d %d\n", (int)__builtin_offsetof(struct R5, m27.m29), (int)sizeof(r5.m27.m29));
    printf("R5.m27.m30 %d %d\n", (int)__builtin_offsetof(struct R5, m27.m30), (int)sizeof(r5.m27.m30));
    memset(&r5, 0, sizeof r5);
    r5.m27.m31 = -1;
    dump("R5.m27.m31", &r5, sizeof r5);
    printf("R5.m32[4] %d %d\n", (int)__builtin_offsetof(struct R5, m32[4]), (int)sizeof(r5.m32[4]));
    printf("R5.m32 %d %d\n", (int)__builtin_offsetof(struct R5, m32), (int)sizeof(r5.m32));
    printf("R5.m34 %d %d\n", (int)__builtin_offsetof(struct R5, m34), (int)sizeof(r5.m34));
    memset(&r5, 0, sizeof r5);
    r5.m35 = -1;
    dump("R5.m35", &r5, sizeof r5);
    memset(&r5, 0, sizeof r5);
    r5.m36 = -1;
    dump("R5.m36", &r5, sizeof r5);
    printf("R5.m37 %d %d\n", (int)__builtin_offsetof(struct R5, m37), (int)sizeof(r5.m37));
}

struct R6 {
    char * m38;
    unsigned long m39 : 4;
    union {
        unsigned long m41[4];
        _Bool m42;
        unsigned int m43 __attribute__((aligned(16)));
        signed char m44 : 2;
    } m40;
    enum minus m45;
    big_t m46[4][3];
    unsigned short m47 __attribute__((packed));
};
static struct R6 r6;
static void f6(void) {
    printf("R6 %d %d\n", (int)sizeof(struct R6), (int)_Alignof(struct R6));
    printf("R6.m38 %d %d\n", (int)__builtin_offsetof(struct R6, m38), (int)sizeof(r6.m38));
    memset(&r6, 0, sizeof r6);
    r6.m39 = -1;
    dump("R6.m39", &r6, sizeof r6);
    printf("R6.m40 %d %d\n", (int)__builtin_offsetof(struct R6, m40), (int)sizeof(r6.m40));
    printf("R6.m40.m41[3] %d %d\n", (int)__builtin_offsetof(struct R6, m40.m41[3]), (int)sizeof(r6.m40.m41[3]));
    printf("R6.m40.m41 %d %d\n", (int)__builtin_offsetof(struct R6, m40.m41), (int)sizeof(r6.m40.m41));
    printf("R6.m40.m42 %d %d\n", (int)__builtin_offsetof(struct R6, m40.m42), (int)sizeof(r6.m40.m42));
    printf("R6.m40.m43 %d %d\n", (int)__builtin_offsetof(struct R6, m40.m43), (int)sizeof(r6.m40.m43));
    memset(&r6, 0, sizeof r6);
    r6.m40.m44 = -1;
    dump("R6.m40.m44", &r6, sizeof r6);
    printf("R6.m45 %d %d\n", (int)__builtin_offsetof(struct R6, m45), (int)sizeof(r6.m45));
    printf("R6.m46[3] %d %d\n", (int)__builtin_offsetof(struct R6, m46[3]), (int)sizeof(r6.m46[3]));
    printf("R6.m46 %d %d\n", (int)__builtin_offsetof(struct R6, m46), (int)sizeof(r6.m46));
    printf("R6.m47 %d %d\n", (int)__builtin_offsetof(struct R6, m47), (int)sizeof(r6.m47));
}

union R7 {
    signed char m48 : 4;
    unsigned int m49 : 2;
    unsigned int m50;
    struct {
        unsigned short m52[4];
        enum low m53 : 12;
        long m54;
    } m51;
    enum low m55 : 26;
    long m56;
    struct {
        union {
            short m59[3][1];
            unsigned long long : 0;
            long long m61 : 64 __attribute__((packed));
            unsigned char m62[4];
        } m58;
        char m63;
        short m64 : 10;
    } __attribute__((packed)) m57;
};
static union R7 r7;
static void f7(void) {
    printf("R7 %d %d\n", (int)sizeof(union R7), (int)_Alignof(union R7));
    memset(&r7, 0, sizeof r7);
    r7.m48 = -1;
    dump("R7.m48", &r7, sizeof r7);
    memset(&r7, 0, sizeof r7);
    r7.m49 = -1;
    dump("R7.m49", &r7, sizeof r7);
    printf("R7.m50 %d %d\n", (int)__builtin_offsetof(union R7, m50), (int)sizeof(r7.m50));
    printf("R7.m51 %d %d\n", (int)__builtin_offsetof(union R7, m51), (int)sizeof(r7.m51));
    printf("R7.m51.m52[3] %d %d\n", (int)__builtin_offsetof(union R7, m51.m52[3]), (int)sizeof(r7.m51.m52[3]));
    printf("R7.m51.m52 %d %d\n", (int)__builtin_offsetof(union R7, m51.m52), (int)sizeof(r7.m51.m52));
    memset(&r7, 0, sizeof r7);
    r7.m51.m53 = -1;
    dump("R7.m51.m53", &r7, sizeof r7);
    printf("R7.m51.m54 %d %d\n", (int)__builtin_offsetof(union R7, m51.m54), (int)sizeof(r7.m51.m54));
    memset(&r7, 0, sizeof r7);
    r7.m55 = -1;
    dump("R7.m55", &r7, sizeof r7);
    printf("R7.m56 %d %d\n", (int)__builtin_offsetof(union R7, m56), (int)sizeof(r7.m56));
    printf("R7.m57 %d %d\n", (int)__builtin_offsetof(union R7, m57), (int)sizeof(r7.m57));
    printf("R7.m57.m58 %d %d\n", (int)__builtin_offsetof(union R7, m57.m58), (int)sizeof(r7.m57.m58));
    printf("R7.m57.m58.m59[2] %d %d\n", (int)__builtin_offsetof(union R7, m57.m58.m59[2]), (int)sizeof(r7.m57.m58.m59[2]));
    printf("R7.m57.m58.m59 %d %d\n", (int)__builtin_offsetof(union R7, m57.m58.m59), (int)sizeof(r7.m57.m58.m59));
    memset(&r7, 0, sizeof r7);
    r7.m57.m58.m61 = -1;
    dump("R7.m57.m58.m61", &r7, sizeof r7);
    printf("R7.m57.m58.m62[3] %d %d\n", (int)__builtin_offsetof(union R7, m57.m58.m62[3]), (int)sizeof(r7.m57.m58.m62[3]));
    printf("R7.m57.m58.m62 %d %d\n", (int)__builtin_offsetof(union R7, m57.m58.m62), (int)sizeof(r7.m57.m58.m62));
    printf("R7.m57.m63 %d %d\n", (int)__builtin_offsetof(union R7, m57.m63), (int)sizeof(r7.m57.m63));
    memset(&r7, 0, sizeof r7);
    r7.m57.m64 = -1;
    dump("R7.m57.m64", &r7, sizeof r7);
}

struct R8 {
    long m65 : 32;
    int : 0;
    unsigned int m67;
};
static struct R8 r8;
static void f8(void) {
    printf("R8 %d %d\n", (int)sizeof(struct R8), (int)_Alignof(struct R8));
    memset(&r8, 0, sizeof r8);
    r8.m65 = -1;
    dump("R8.m65", &r8, sizeof r8);
    printf("R8.m67 %d %d\n", (int)__builtin_offsetof(struct R8, m67), (int)sizeof(r8.m67));
}

struct R9 {
    struct {
        unsigned long m69 __attribute__((packed));
    };
    unsigned short : 16;
    unsigned char m71 : 4 __attribute__((packed));
    signed char m72 : 6;
} __attribute__((packed));
static struct R9 r9;
static void f9(void) {
    printf("R9 %d %d\n", (int)sizeof(struct R9), (int)_Alignof(struct R9));
    printf("R9.m69 %d %d\n", (int)__builtin_offsetof(struct R9, m69), (int)sizeof(r9.m69));
    memset(&r9, 0, sizeof r9);
    r9.m71 = -1;
    dump("R9.m71", &r9, sizeof r9);
    memset(&r9, 0, sizeof r9);
    r9.m72 = -1;
    dump("R9.m72", &r9, sizeof r9);
}

struct R10 {
    enum minus m73 : 8;
    union {
        _Bool m75 : 1;
        struct {
            double m77[2];
            unsigned int m78;
            char m79 : 3;
            unsigned short m80;
        } m76[2];
    } __attribute__((packed, aligned(8))) m74;
    long m81;
    char * m82 __attribute__((packed));
    long m83;
    char m84;
    _Alignas(long double) unsigned long m85 __attribute__((aligned(4)));
};
static struct R10 r10;
static void f10(void) {
    printf("R10 %d %d\n", (int)sizeof(struct R10), (int)_Alignof(struct R10));
    memset(&r10, 0, sizeof r10);
    r10.m73 = -1;
    dump("R10.m73", &r10, sizeof r10);
    printf("R10.m74 %d %d\n", (int)__builtin_offsetof(struct R10, m74), (int)sizeof(r10.m74));
    memset(&r10, 0, sizeof r10);
    r10.m74.m75 = 1;
    dump("R10.m74.m75", &r10, sizeof r10);
    printf("R10.m74.m76 %d %d\n", (int)__builtin_offsetof(struct R10, m74.m76), (int)sizeof(r10.m74.m76));
    printf("R10.m74.m76[1].m77[1] %d %d\n", (int)__builtin_offsetof(struct R10, m74.m76[1].m77[1]), (int)sizeof(r10.m74.m76[1].m77[1]));
    printf("R10.m74.m76[1].m77 %d %d\n", (int)__builtin_offsetof(struct R10, m74.m76[1].m77), (int)sizeof(r10.m74.m76[1].m77));
    printf("R10.m74.m76[1].m78 %d %d\n", (int)__builtin_offsetof(struct R10, m74.m76[1].m78), (int)sizeof(r10.m74.m76[1].m78));
    memset(&r10, 0, sizeof r10);
    r10.m74.m76[1].m79 = -1;
    dump("R10.m74.m76[1].m79", &r10, sizeof r10);
    printf("R10.m74.m76[1].m80 %d %d\n", (int)__builtin_offsetof(struct R10, m74.m76[1].m80), (int)sizeof(r10.m74.m76[1].m80));
    printf("R10.m81 %d %d\n", (int)__builtin_offsetof(struct R10, m81), (int)sizeof(r10.m81));
    printf("R10.m82 %d %d\n", (int)__builtin_offsetof(struct R10, m82), (int)sizeof(r10.m82));
    printf("R10.m83 %d %d\n", (int)__builtin_offsetof(struct R10, m83), (int)sizeof(r10.m83));
    printf("R10.m84 %d %d\n", (int)__builtin_offsetof(struct R10, m84), (int)sizeof(r10.m84));
    printf("R10.m85 %d %d\n", (int)__builtin_offsetof(struct R10, m85), (int)sizeof(r10.m85));
}

#pragma pack(push, 2)
struct R11 {
    unsigned char m86 : 8;
    char : 3;
    char m88;
    struct {
        union {
            unsigned short m91 : 11;
            char m92 : 8;
            signed char m93 : 4;
            double_t_ m94[2][1];
        } m90;
    } m89;
};
#pragma pack(pop)
static struct R11 r11;
static void f11(void) {
    printf("R11 %d %d\n", (int)sizeof(struct R11), (int)_Alignof(struct R11));
    memset(&r11, 0, sizeof r11);
    r11.m86 = -1;
    dump("R11.m86", &r11, sizeof r11);
    printf("R11.m88 %d %d\n", (int)__builtin_offsetof(struct R11, m88), (int)sizeof(r11.m88));
    printf("R11.m89 %d %d\n", (int)__builtin_offsetof(struct R11, m89), (int)sizeof(r11.m89));
    printf("R11.m89.m90 %d %d\n", (int)__builtin_offsetof(struct R11, m89.m90), (int)sizeof(r11.m89.m90));
    memset(&r11, 0, sizeof r11);
    r11.m89.m90.m91 = -1;
    dump("R11.m89.m90.m91", &r11, sizeof r11);
    memset(&r11, 0, sizeof r11);
    r11.m89.m90.m92 = -1;
    dump("R11.m89.m90.m92", &r11, sizeof r11);
    memset(&r11, 0, sizeof r11);
    r11.m89.m90.m93 = -1;
    dump("R11.m89.m90.m93", &r11, sizeof r11);
    printf("R11.m89.m90.m94[1] %d %d\n", (int)__builtin_offsetof(struct R11, m89.m90.m94[1]), (int)sizeof(r11.m89.m90.m94[1]));
    printf("R11.m89.m90.m94 %d %d\n", (int)__builtin_offsetof(struct R11, m89.m90.m94), (int)sizeof(r11.m89.m90.m94));
}

int main(void) {
    f0();
    f1();
    f2();
    f3();
    f4();
    f5();
    f6();
    f7();
    f8();
    f9();
    f10();
    f11();
    return 0;
}
