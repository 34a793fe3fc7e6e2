/* The instruction levels of this processor. Plain C for the baseline: it loads on every processor, before the core. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *supported(PyObject *self, PyObject *unused) {
    (void)self;
    (void)unused;
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    __builtin_cpu_init();
    int v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt");
    int v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
             __builtin_cpu_supports("bmi2");
    int v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
    if (v4) return Py_BuildValue("(ssss)", "v4", "v3", "v2", "base");
    if (v3) return Py_BuildValue("(sss)", "v3", "v2", "base");
    if (v2) return Py_BuildValue("(ss)", "v2", "base");
#endif
    return Py_BuildValue("(s)", "base");
}

static PyMethodDef methods[] = {
    {"supported", supported, METH_NOARGS, "supported() -> tuple[str, ...]\n\nReturn its levels, best first."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_levels", "Instruction levels.", -1, methods,
                                    NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__levels(void) { return PyModule_Create(&module); }
