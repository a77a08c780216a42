//! The module by which BenchExec knows Proviso. Passed over, with a message, where BenchExec is not installed: in
//! `target/benchexec`, or for the python3 of the system.

#![allow(missing_docs, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A Python that has BenchExec.
fn python() -> Option<PathBuf> {
    let binary = Path::new(env!("CARGO_BIN_EXE_proviso"));
    let own = binary.parent()?.parent()?.join("benchexec/bin/python");
    let known = |python: &PathBuf| {
        let mut command = Command::new(python);
        command.args(["-c", "import benchexec.test_tool_info"]);
        command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    [own, "python3".into()].into_iter().find(known)
}

/// Runs BenchExec's Python with the module and the binary in its paths.
fn run(python: &Path, arguments: &[&str]) -> String {
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/benchexec");
    let binary = Path::new(env!("CARGO_BIN_EXE_proviso"));
    let output = Command::new(python)
        .args(arguments)
        .env("PYTHONPATH", module)
        .env("PATH", binary.parent().expect("a folder"))
        .output()
        .expect("Python");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out} {err}");
    format!("{out}{err}")
}

#[test]
fn benchexec_knows_proviso() {
    let Some(python) = python() else {
        eprintln!("BenchExec is not installed: its module is not tested");
        return;
    };
    let told = run(&python, &["-m", "benchexec.test_tool_info", ".proviso", "--no-container"]);
    let version = format!("Version: “{}", env!("CARGO_PKG_VERSION"));
    for part in [
        "Name of tool: “Proviso”",
        &version,
        "'check', 'INPUT1.FILE', 'INPUT2.FILE']",
        "'check', '--spec', 'PROPERTY.PRP', '--32', '--cputimelimit', '900s', 'INPUT.FILE']",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains("ERROR"), "{told}");
}

/// What BenchExec makes of the last line and the exit code.
#[test]
fn benchexec_reads_answers() {
    let Some(python) = python() else {
        eprintln!("BenchExec is not installed: its module is not tested");
        return;
    };
    let known = [
        (0, "TRUE", "true"),
        (10, "FALSE (unreach-call)", "false(unreach-call)"),
        (20, "UNKNOWN (time limit)", "TIMEOUT"),
        (20, "UNKNOWN (memory limit)", "OUT OF MEMORY"),
        (20, "UNKNOWN (unsupported: f at a.c:1)", "unknown (unsupported: f at a.c:1)"),
        (65, "", "ERROR (input)"),
        (0, "FALSE (unreach-call)", "ERROR (0)"),
        (70, "UNKNOWN (internal error)", "ERROR (70)"),
    ];
    for (code, answer, result) in known {
        let line = format!("Verification result: {answer}\n");
        let program = format!(
            "import proviso, benchexec.util as u, benchexec.tools.template as t\n\
             output = t.BaseTool2.RunOutput([\"first\\n\", {line:?}])\n\
             run = t.BaseTool2.Run([], u.ProcessExitCode(raw={}, value={code}, signal=None), output, None)\n\
             print(proviso.Tool().determine_result(run))\n",
            code << 8
        );
        assert_eq!(run(&python, &["-c", &program]).trim(), result, "{line}");
    }
}
