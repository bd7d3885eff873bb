# The Python that runs the tests and that the package is built with; empty means
# the one tools/setup made, or else whatever python3 is.
set(TFPROF_PYTHON "" CACHE FILEPATH "Python interpreter")
if(TFPROF_PYTHON)
    set(tfprof_python "${TFPROF_PYTHON}")
elseif(EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python")
    set(tfprof_python "${PROJECT_SOURCE_DIR}/.venv/bin/python")
else()
    set(tfprof_python python3)
endif()

# A wheel is built by the interpreter that asks for it.
if(TFPROF_PYTHON_MODULE AND NOT SKBUILD)
    execute_process(COMMAND "${tfprof_python}" -c "import cffi"
        RESULT_VARIABLE tfprof_no_cffi ERROR_QUIET)
    if(tfprof_no_cffi)
        message(STATUS "cffi is not there: the Python package is not built")
        set(TFPROF_PYTHON_MODULE OFF)
    else()
        set(Python_EXECUTABLE "${tfprof_python}")
    endif()
endif()
