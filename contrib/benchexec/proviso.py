"""BenchExec's view of Proviso: how it is started, and what its answers mean.

Put this folder into PYTHONPATH and name the tool `proviso`, or copy the file to benchexec/tools.
"""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """A software model checker that says what it has proved, even when it must stop early."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("proviso", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="proviso")

    def name(self):
        return "Proviso"

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command += ["--spec", task.property_file]
        if isinstance(task.options, dict):
            model = task.options.get("data_model")
            if model not in (None, "ILP32", "LP64"):
                raise benchexec.tools.template.UnsupportedFeatureException(
                    f"the data model {model} is not known"
                )
            if model is not None:
                command.append("--32" if model == "ILP32" else "--64")
        # Proviso shares its time out among analyses, so it has to know how much there is.
        if rlimits.cputime:
            command += ["--cputimelimit", f"{rlimits.cputime}s"]
        if rlimits.walltime:
            command += ["--timelimit", f"{rlimits.walltime}s"]
        if rlimits.memory:
            command += ["--memlimit", f"{rlimits.memory}B"]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        answer = None
        for line in run.output:
            if line.startswith("Verification result: "):
                answer = line.removeprefix("Verification result: ").strip()
        code = run.exit_code.value
        if answer == "TRUE" and code == 0:
            return result.RESULT_TRUE_PROP
        if answer is not None and answer.startswith("FALSE") and code == 10:
            part = answer.removeprefix("FALSE").strip(" ()")
            return f"{result.RESULT_FALSE_PROP}({part})" if part else result.RESULT_FALSE_PROP
        if answer is not None and answer.startswith("UNKNOWN") and code == 20:
            reason = answer.removeprefix("UNKNOWN").strip()
            if reason.startswith("(time limit"):
                return "TIMEOUT"
            if reason.startswith("(memory limit"):
                return "OUT OF MEMORY"
            return f"{result.RESULT_UNKNOWN} {reason}".strip()
        if code == 65:
            return "ERROR (input)"
        if code is None:
            return result.RESULT_ERROR
        return f"ERROR ({code})"

    def get_value_from_output(self, output, identifier):
        """The figures of `--stats=json`, by name."""
        import json

        for line in reversed(list(output)):
            if line.startswith("{"):
                try:
                    return json.loads(line).get(identifier)
                except ValueError:
                    continue
        return None
