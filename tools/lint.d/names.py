"""Each name of the headers is declared once.

One name is one thing, whichever headers a file includes: two headers of src/
or include/ may not both declare a name of ours (tfp_..., TFP_...), nor one
header a name twice. A struct and the typedef of the same name are one
declaration. The enumerators of one enum share a beginning, TFP_COST_ for
example; those of another header may not begin so.
"""

import csource


def check(tree):
    places = csource.declared(tree, "src", "include")

    def shown(path, position):
        return f"{path}:{csource.line_of(tree.text(path), position)}"

    return f"{len(places)} names", [
        f"{shown(*place)}: {name} is declared in {shown(*where[0])} too"
        for name, where in sorted(places.items()) for place in where[1:]]


CASES = r"""
src/a/a.h: typedef struct tfp_fit {\n} tfp_fit;\nint tfp_fit(void);
    => tfp_fit is declared in src/a/a.h:2 too
src/a/a.h: #define TFP_A 1\nextern int TFP_A; => TFP_A is
src/a/a.h: enum { TFP_A_ONE };\n#define TFP_A_ONE 1 => TFP_A_ONE is
include/tfprof/a.h: int tfprof_a(int b,\n    int c);\nvoid tfprof_a(void);
    => include/tfprof/a.h:3: tfprof_a is
src/a/a.h: typedef TFP_VEC(int) tfp_a; && src/b/b.h: typedef int tfp_a;
    => src/b/b.h:1: tfp_a is declared in src/a/a.h:1 too
src/a/a.h: typedef int (*tfp_a)(void);\ntypedef int tfp_b(int);
    && src/b/b.h: void tfp_b(void); => tfp_b is
src/a/a.h: enum { TFP_A_B, TFP_A_C };
    && src/b/b.h: enum { TFP_A_D, TFP_A_E }; => TFP_A_* is
src/a/a.h: typedef struct tfp_a tfp_a;\nstruct tfp_a {\n};\nvoid tfp_b(tfp_a *a);
    \nvoid tfp_c(tfp_a *a);
src/a/a.h: #ifndef TFP_A_H\n#define TFP_A_H\nvoid tfp_a(void);
    \nstatic inline int tfp_b(void)\n{\n    tfp_a();\n}\n#endif
src/a/a.h: typedef enum tfp_a {\n    TFP_A_B,\n    TFP_A_C = 3\n} tfp_a;
    \nextern const char *const tfp_names[TFP_A_C];
src/a/a.h: #define TFP_A_H\nint tfp_a(void);
    && src/b/a.h: #define TFP_A_H && src/a/a.c: int tfp_a(void)\n{\n}
"""
