//! From a run of `proviso check` to a record.

use std::os::unix::process::ExitStatusExt;

use super::process::{Limits, Measured, Stopped};
use super::{Record, Status, Task};

/// What the last line of an answer begins with.
const ANSWER: &str = "Verification result: ";

/// The record of a run of `proviso check`, by its output and its end. The output counts only if the exit code says the
/// same, and counts as an answer only if it came within the limits.
pub(super) fn read(
    task: &Task,
    configuration: &str,
    measured: &Measured,
    limits: &Limits,
) -> Record {
    let statistics = measured.err.lines().rev().find_map(|line| {
        let value: serde_json::Value = serde_json::from_str(line.trim()).ok()?;
        value.is_object().then_some(value)
    });
    let figure = |name: &str| statistics.as_ref().and_then(|all| all.get(name)?.as_u64());
    // The program knows its own peak exactly, but not that of solvers that it has started.
    let peak = measured.peak.max(figure("peak_memory_bytes"));
    let said = judge(measured, limits);
    let record = settle(task, configuration, measured, limits, peak, said);
    let violated =
        violated(measured).zip(task.violated.clone()).filter(|_| record.verdict.is_some());
    Record {
        refinements: figure("refinements"),
        states: figure("states_added"),
        violated,
        ..record
    }
}

/// The part of the property that the answer says is violated.
fn violated(measured: &Measured) -> Option<String> {
    let last = measured.out.trim_end().lines().last()?;
    let part = last.strip_prefix(ANSWER)?.strip_prefix("FALSE (")?.strip_suffix(')')?;
    Some(part.to_owned())
}

/// What a run said: how it ended by itself, its verdict, and the reason if there is no verdict.
pub(super) type Said = (Status, Option<bool>, String);

/// The record of a run that said something. What came after a limit is no answer.
pub(super) fn settle(
    task: &Task,
    configuration: &str,
    measured: &Measured,
    limits: &Limits,
    peak: Option<u64>,
    (status, verdict, reason): Said,
) -> Record {
    let over = match measured.stopped {
        Some(Stopped::Cpu) => Some((Status::TimeLimit, "time limit")),
        Some(Stopped::Wall) => Some((Status::TimeLimit, Record::BY_CLOCK)),
        Some(Stopped::Memory) => Some((Status::MemoryLimit, "memory limit")),
        Some(Stopped::Interrupted) => None,
        None if measured.cpu > limits.cpu => Some((Status::TimeLimit, "time limit")),
        None if peak > Some(limits.memory) => Some((Status::MemoryLimit, "memory limit")),
        None => None,
    };
    let (status, reason) = match over {
        Some((over, reason)) if verdict.is_some() => (over, format!("{reason}; answered late")),
        Some((over, reason)) => (over, reason.to_owned()),
        None => (status, reason),
    };
    Record {
        task: task.name.clone(),
        category: task.category.clone(),
        expected: task.expected,
        configuration: configuration.to_owned(),
        status,
        verdict,
        reason,
        cpu_seconds: measured.cpu.as_secs_f64(),
        wall_seconds: measured.wall.as_secs_f64(),
        peak_bytes: peak,
        refinements: None,
        states: None,
        violated: None,
        inputs: None,
        worth: None,
    }
}

/// A run that stops by itself at its limit of processor time has used at least this part of it: such a run ends a
/// little early.
const NEARLY_ALL: f64 = 0.9;

/// What the run answered, no matter whether the answer came within the limits.
fn judge(measured: &Measured, limits: &Limits) -> Said {
    let last = measured.out.trim_end().lines().last().unwrap_or_default();
    let said = last.strip_prefix(ANSWER);
    let code = measured.status.code();
    match (said, code) {
        (Some("TRUE"), Some(0)) => (Status::Answered, Some(true), String::new()),
        (Some(said), Some(10)) if said.starts_with("FALSE") => {
            (Status::Answered, Some(false), String::new())
        }
        (Some(said), Some(20)) if said.starts_with("UNKNOWN") => {
            let reason = said.trim_start_matches("UNKNOWN").trim();
            let reason = reason.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
            let reason = reason.unwrap_or_default().to_owned();
            let status = if reason.starts_with("time limit") {
                let by_clock = measured.cpu < limits.cpu.mul_f64(NEARLY_ALL);
                let reason = if by_clock { Record::BY_CLOCK } else { "time limit" };
                return (Status::TimeLimit, None, reason.to_owned());
            } else if reason.starts_with("memory limit") {
                Status::MemoryLimit
            } else {
                Status::Unknown
            };
            (status, None, reason)
        }
        (_, Some(65)) => (Status::Input, None, complaint(measured)),
        // The allocator writes this before it aborts when the kernel gives no more memory.
        (_, None) if measured.err.contains("memory allocation of") => {
            (Status::MemoryLimit, None, "memory limit".to_owned())
        }
        (_, None) => {
            let signal = measured.status.signal().unwrap_or_default();
            (Status::Error, None, format!("ended by signal {signal}"))
        }
        (Some(said), Some(code)) if [0, 10, 20].contains(&code) => {
            (Status::Error, None, format!("exit code {code} contradicts {said}"))
        }
        (_, Some(code)) => (Status::Error, None, format!("exit {code}: {}", complaint(measured))),
    }
}

/// The first line of the error output that has the word `error`.
pub(super) fn complaint(measured: &Measured) -> String {
    let mut lines = measured.err.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.find(|line| line.contains("error")).unwrap_or_default();
    first.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use std::process::ExitStatus;
    use std::time::Duration;

    use super::*;

    fn record(raw: i32, out: &str, err: &str, stopped: Option<Stopped>, cpu: u64) -> Record {
        let task = Task {
            name: "a/b.c".to_owned(),
            file: "b.c".into(),
            category: "a".to_owned(),
            expected: Some(true),
            ..Task::default()
        };
        let measured = Measured {
            status: ExitStatus::from_raw(raw),
            stopped,
            cpu: Duration::from_secs(cpu),
            wall: Duration::from_secs(cpu),
            peak: Some(1000),
            out: out.to_owned(),
            err: err.to_owned(),
        };
        let time = Duration::from_secs(10);
        let limits = Limits { cpu: time, wall: time * 2, memory: 2000 };
        read(&task, "EXPL", &measured, &limits)
    }

    #[test]
    fn answers_and_figures_are_read() {
        let err = "assumption: none\n{\"refinements\":3,\"states_added\":17}\n";
        let right = record(0, "proof\nVerification result: TRUE\n", err, None, 1);
        assert_eq!((right.status, right.verdict), (Status::Answered, Some(true)));
        assert_eq!((right.refinements, right.states), (Some(3), Some(17)));
        assert!(right.is_solved() && !right.is_wrong());
        let wrong = record(10 << 8, "Verification result: FALSE (unreach-call)\n", "", None, 1);
        assert!(wrong.is_wrong() && !wrong.is_solved());
    }

    #[test]
    fn late_answers_are_no_answers_but_stay_known() {
        for (stopped, cpu) in [(None, 11), (Some(Stopped::Cpu), 9)] {
            let out = "Verification result: FALSE (unreach-call)\n";
            let late = record(10 << 8, out, "", stopped, cpu);
            assert_eq!((late.status, late.verdict), (Status::TimeLimit, Some(false)));
            assert!(late.is_wrong() && !late.is_solved());
        }
    }

    #[test]
    fn ends_without_an_answer_are_told_apart() {
        let unknown = |why: &str| format!("Verification result: UNKNOWN ({why})\n");
        let known = [
            (20 << 8, unknown("time limit"), "", Status::TimeLimit),
            (20 << 8, unknown("memory limit"), "", Status::MemoryLimit),
            (20 << 8, unknown("unsupported: f at a.c:1"), "", Status::Unknown),
            (65 << 8, String::new(), "error: no semicolon", Status::Input),
            (64 << 8, String::new(), "error: invalid value 'product'", Status::Error),
            (70 << 8, unknown("internal error"), "", Status::Error),
            (6, String::new(), "memory allocation of 64 bytes failed", Status::MemoryLimit),
            (11, String::new(), "", Status::Error),
            (0, "Verification result: FALSE (unreach-call)".to_owned(), "", Status::Error),
            (10 << 8, "Verification result: TRUE".to_owned(), "", Status::Error),
            (0, "Verification result: TRUE\nand more".to_owned(), "", Status::Error),
        ];
        for (raw, out, err, status) in known {
            let record = record(raw, &out, err, None, 1);
            assert_eq!((record.status, record.verdict), (status, None), "{out} {err}");
        }
    }
}
