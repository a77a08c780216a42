//! The words of an answer, each with what it means and what to do. The guide's chapter on words is made of
//! this table, and a test compares the two.

use cfa::Check;
use verify::Unknown;

use super::entry::{Entry, WordKind};
use super::terms::TERMS;

/// What is said about a reason of UNKNOWN, for every reason. A reason without a text does not compile.
const fn of_reason(reason: &Unknown) -> Entry {
    match reason {
        Unknown::TimeLimit => Entry {
            name: "time limit",
            kind: WordKind::Reason,
            summary: "`--timelimit` or `--cputimelimit` was used up",
            meaning: "The run stopped because its time was over. Nothing is wrong with the program, and nothing was \
                      decided about the checks that are open.",
            cause: "The program has loops with many rounds, many ways through it, or arithmetic that is hard for the \
                    solver. The limit is 15 minutes if you say nothing.",
            advice: "Read which checks are proved and which are open. Then give more time, go on from what was \
                     analysed (`proviso continue`), try another analysis, or bound the inputs by assumptions.",
            examples: &[
                "proviso check program.c --timelimit 1h --output-dir out",
                "proviso continue program.c --assumption out/assumption.spc --analysis predicate",
            ],
        },
        Unknown::MemoryLimit => Entry {
            name: "memory limit",
            kind: WordKind::Reason,
            summary: "`--memlimit` was used up, or what the system allows the process (`ulimit -v`)",
            meaning: "The run stopped because it had used the memory that it was allowed to use.",
            cause: "The analysis keeps every abstract state or every formula of an unrolling. The limit is 4 GB if \
                    you say nothing; where the system limits the addresses of a process, the limit is at most a \
                    third of these addresses.",
            advice: "Give more memory, or try an analysis that keeps less: `value-itp` and `predicate` track only what \
                     refinements ask for, `bmc` with `--unroll` stops early.",
            examples: &[
                "proviso check program.c --memlimit 16GB",
                "proviso check program.c --analysis value-itp",
            ],
        },
        Unknown::Interrupted => Entry {
            name: "interrupted",
            kind: WordKind::Reason,
            summary: "Ctrl-C, or the process was told to end",
            meaning: "Somebody stopped the run. The lines above the last line tell what the run had found out so \
                      far.",
            cause: "Ctrl-C in the terminal, or the signal SIGTERM from another program.",
            advice: "Run the command again, with a time limit if the run takes too long for you: then a part of \
                     the time is kept for the report.",
            examples: &["proviso check program.c --timelimit 60s"],
        },
        Unknown::Unsupported { .. } => Entry {
            name: "unsupported",
            kind: WordKind::Reason,
            summary: "an execution may reach something that is not modelled; it is named with its place",
            meaning: "An execution may get to something whose meaning Proviso does not know, so nothing is said \
                      about what follows. Checks before this place can be proved all the same.",
            cause: "Threads, processes, signal handlers, inline assembly with `--asm error`, a format of `scanf` that \
                    is not known, an access outside of every object, or a C construct that is not modelled.",
            advice: "Replace the construct by something with the same effect, or add a file that gives the \
                     function a body. For functions without a body see `--external`, for devices `--mmio`, for \
                     assembly `--asm`.",
            examples: &[
                "proviso check program.c model.c",
                "proviso check program.c --mmio 0x40011000-0x40011fff",
            ],
        },
        Unknown::Solver(_) => Entry {
            name: "solver",
            kind: WordKind::Reason,
            summary: "the solver has no answer to a question that came up",
            meaning: "The analysis asked a question that the solver cannot answer: the solver has no procedure for \
                      the question, or it came to the end of its limits, or the process of another solver has \
                      failed. The words behind the reason say which of these happened.",
            cause: "Products of variables over unbounded integers or rationals, for example in a `.cfa` model. Machine \
                    integers of C are always decided, given time.",
            advice: "Leave that kind of arithmetic out of the part in question, or try another solver.",
            examples: &["proviso check model.cfa --solver z3"],
        },
        Unknown::NotReplayed(_) => Entry {
            name: "not replayed",
            kind: WordKind::Reason,
            summary: "an execution was found that does not happen as predicted, mostly because it rests on a library \
                      function that is not modelled",
            meaning: "The analysis found an execution that would violate a check, but the interpreter could not repeat \
                      it. FALSE is only said of an execution that was repeated.",
            cause: "The violation depends on the result of a function that is not modelled exactly, such as `pow` or \
                    `strtod`, or on what `sprintf` writes. If the page names no such function, the analysis and the \
                    interpreter disagree about what is arbitrary, for instance about memory that `--external havoc` changes.",
            advice: "If the page names a function, add a file that gives this function a body which does what matters \
                     here. Otherwise try another analysis (`--analysis predicate`), and report the program: FALSE should \
                     have been the answer, or no such execution should have been found.",
            examples: &["proviso check program.c model.c"],
        },
        Unknown::Exhausted(_) => Entry {
            name: "exhausted",
            kind: WordKind::Reason,
            summary: "the analysis did all that it was allowed to, such as `--unroll` rounds, or all that it can",
            meaning: "The analysis came to its end without an answer, before any limit of time or memory. A stage \
                      of a run that answers TRUE or FALSE may end like this, too: the stage had nothing more to \
                      try, and another stage gave the answer.",
            cause: "The number of rounds that `--unroll` allows was followed, `--max-refinements` was reached, or the \
                    abstraction cannot tell why no execution takes a path (explicit values do not know `x == y`).",
            advice: "Raise the limit, or use another analysis: `auto` tries several, and `predicate` knows relations \
                     between variables.",
            examples: &["proviso check program.c", "proviso check program.c --analysis predicate"],
        },
        Unknown::Property(_) => Entry {
            name: "property",
            kind: WordKind::Reason,
            summary: "the property, or the part of it that is named, is of a class that no analysis decides yet",
            meaning: "The property that was asked for is one that Proviso does not decide, and nothing was analysed; or \
                      everything was proved but for the part that is named: an execution that never ends may lose \
                      memory, too, and no analysis shows that all executions end.",
            cause: "`termination`, `no-data-race`, or another property that is not about reaching a place; or \
                    `valid-memtrack` of a program that has loops and allocates memory.",
            advice: "Ask for another property, or for checks by their names.",
            examples: &[
                "proviso check program.c --property valid-memcleanup",
                "proviso check program.c --check all",
            ],
        },
        Unknown::Internal | Unknown::Refuted(_) => Entry {
            name: "internal error",
            kind: WordKind::Reason,
            summary: "a fault of Proviso; the exit code is 70, or 20 if a proof turned out to be wrong",
            meaning: "Proviso itself has failed. The message says nothing about your program.",
            cause: "A bug in Proviso.",
            advice: "Please report it, with the program and the command line. Another analysis may work meanwhile.",
            examples: &["proviso --version", "proviso check program.c --analysis bmc"],
        },
    }
}

/// The kinds of FALSE that are no faults.
const REACHED: [Entry; 3] = [
    Entry {
        name: "unreach-call",
        kind: WordKind::Violation,
        summary: "an error function is called, or an assert fails",
        meaning: "An execution calls `reach_error` or `__VERIFIER_error`, or an assert fails. The execution is told \
                  line by line, with the inputs that lead there; it was repeated by the interpreter.",
        cause: "For the inputs that are listed, the condition that the program asserts does not hold.",
        advice: "Read the counterexample from its end: the last line has the values that break the assert. Run the \
                 inputs step by step, or compile the harness and use a debugger. If the inputs cannot happen, say \
                 so in the program by `__VERIFIER_assume`.",
        examples: &[
            "proviso check program.c --output-dir out",
            "proviso run program.c --inputs out/inputs.txt --trace",
        ],
    },
    Entry {
        name: "unreach-label",
        kind: WordKind::Violation,
        summary: "the label `ERROR` is reached",
        meaning: "With `--property unreach-label`, an execution gets to a statement with the label `ERROR`.",
        cause: "For the inputs that are listed, the program goes to the label.",
        advice: "Read the counterexample from its end: the conditions on the way say why the label is reached.",
        examples: &["proviso check program.c --property unreach-label"],
    },
    Entry {
        name: "assert",
        kind: WordKind::Violation,
        summary: "an assert fails, where asserts alone were asked for",
        meaning: "With `--property assert`, the condition of an assert is zero in some execution.",
        cause: "For the inputs that are listed, the asserted condition does not hold.",
        advice: "Read the last line of the counterexample: it has the values of everything that the condition \
                 names.",
        examples: &["proviso check program.c --property assert"],
    },
];

/// What a check finds, for every check. A check without a text does not compile.
const fn of_check(check: Check) -> Entry {
    match check {
        Check::Deref => Entry {
            name: "valid-deref",
            kind: WordKind::Violation,
            summary: "memory is accessed that is in no live object",
            meaning: "An execution reads or writes outside of every object that lives, writes a string literal or a \
                      constant, calls a pointer to no function of a fitting type, or makes an array of negative \
                      length. The error names which of these it is: `access out of bounds`, `access through a null \
                      pointer`, `use after free` of a block of the heap, `use of an object after its end` of a local \
                      variable whose block or function has ended, `write to a constant`, `invalid call`, `invalid \
                      array length`, or `invalid memory access` where no object is near the address.",
            cause: "An index beyond the end of an array, a null pointer, a pointer to something that was freed or \
                    whose block has ended, or a pointer from outside the program that may point nowhere.",
            advice: "The line `Error:` of the counterexample names the object, its size and the offset. Compare the \
                     index with the length, and the pointer with null, before the access; use a block before it is \
                     freed, and do not return the address of a local variable. A parameter of a function that is \
                     checked by itself points to one object unless `--pointer-size` says more.",
            examples: &[
                "proviso check program.c --check deref",
                "proviso check part.c --entry-function f --pointer-size f.p=16",
            ],
        },
        Check::Free => Entry {
            name: "valid-free",
            kind: WordKind::Violation,
            summary: "something is freed that is not a live block of the heap",
            meaning: "An execution calls `free` with an address that is not the first byte of a live block of the \
                      heap. The error is called `double free` where the block was freed before, and `invalid free` \
                      otherwise.",
            cause: "A block is freed twice, the pointer has been moved since `malloc`, or it points to a variable.",
            advice: "After `double free`, the counterexample says where the block was freed before: set the pointer \
                     to null after freeing. After `invalid free`, keep the pointer that `malloc` returned, and free \
                     this pointer.",
            examples: &["proviso check program.c --check free"],
        },
        Check::Leak => Entry {
            name: "valid-memcleanup",
            kind: WordKind::Violation,
            summary: "a block of the heap is not freed when the program ends",
            meaning: "The program returns from `main` or calls `exit` while a block of the heap still lives.",
            cause: "A way out of a function, mostly one after an error, does not free what was allocated.",
            advice: "Follow the counterexample to the last return, and free the block on that way. `abort` does not \
                     count as an end.",
            examples: &["proviso check program.c --check leak"],
        },
        Check::Track => Entry {
            name: "valid-memtrack",
            kind: WordKind::Violation,
            summary: "a block of the heap is lost",
            meaning: "A block of the heap lives, and nothing points to it any more.",
            cause: "The only pointer to the block was overwritten, or went away with its function.",
            advice: "Keep the pointer until the block is freed. `--check leak` asks the simpler question whether \
                     all blocks are freed at the end.",
            examples: &["proviso check program.c --property valid-memtrack"],
        },
        Check::Div => Entry {
            name: "div",
            kind: WordKind::Violation,
            summary: "an integer is divided by zero",
            meaning: "An execution divides an integer by zero, or takes a remainder by zero.",
            cause: "The divisor is an input, a count that may be zero, or a difference of equal numbers.",
            advice: "Compare the divisor with zero before the division, or assume that it is not zero where the \
                     caller promises that.",
            examples: &["proviso check program.c --check div"],
        },
        Check::Overflow => Entry {
            name: "no-overflow",
            kind: WordKind::Violation,
            summary: "signed arithmetic leaves the range of its type",
            meaning: "The result of `+ - * ++ --`, of the sign, of `x / -1`, `x % -1` or `<<` does not fit its signed \
                      type, which C leaves undefined.",
            cause: "Inputs near the greatest or the least number of the type, or a sum over many rounds.",
            advice: "Compute in a wider type, or test before the operation. `__builtin_add_overflow` does both.",
            examples: &["proviso check program.c --check overflow"],
        },
        Check::UnsignedOverflow => Entry {
            name: "unsigned-overflow",
            kind: WordKind::Violation,
            summary: "unsigned arithmetic wraps around",
            meaning: "The result of unsigned `+ - * ++ --` or of the sign does not fit its type. C defines what \
                      happens then, but programs rarely mean it.",
            cause: "`n - 1` of zero, or a size that is the product of two large numbers.",
            advice: "Test before the operation, or leave this check out where wrapping around is meant (hashes, \
                     checksums).",
            examples: &["proviso check program.c --check unsigned-overflow"],
        },
        Check::Shift => Entry {
            name: "shift",
            kind: WordKind::Violation,
            summary: "a shift is not defined",
            meaning: "A distance is negative or not less than the width of the type, or `<<` is applied to a negative \
                      number or moves a bit into the sign or past it.",
            cause: "`1 << 31` of a signed number, or a distance that is an input.",
            advice: "Shift unsigned numbers (`1u << n`), and compare the distance with the width before.",
            examples: &["proviso check program.c --check shift"],
        },
        Check::Conversion => Entry {
            name: "conversion",
            kind: WordKind::Violation,
            summary: "a conversion that the program does not spell out changes the value",
            meaning: "An integer is converted by an assignment, an argument or an operator, and the new type does not \
                      have its value; or a float does not fit the integer type.",
            cause: "A `size_t` in an `int`, a negative number compared with an unsigned one, an `int` in a `char`.",
            advice: "Use a type that has all the values, or write a cast where the change is meant.",
            examples: &["proviso check program.c --check conversion"],
        },
        Check::Uninitialised => Entry {
            name: "uninitialised",
            kind: WordKind::Violation,
            summary: "something is read before it is set",
            meaning: "A variable, a member, an element, memory of the heap, or the value of a function without \
                      `return` is used, and nothing has set it. Copies alone are no uses.",
            cause: "A way through the program on which the assignment is left out, or `malloc` in place of `calloc`.",
            advice: "Give it a value at its declaration, or on the way that the counterexample shows.",
            examples: &["proviso check program.c --check uninitialised"],
        },
    }
}

/// What FALSE calls a violation of a check.
pub const fn name_of(check: Check) -> &'static str {
    of_check(check).name
}

/// Every word, in the order of the list.
pub fn all() -> Vec<Entry> {
    let reasons = [
        Unknown::TimeLimit,
        Unknown::MemoryLimit,
        Unknown::Interrupted,
        Unknown::Unsupported { reason: String::new(), edge: None },
        Unknown::Solver(String::new()),
        Unknown::NotReplayed(String::new()),
        Unknown::Exhausted(String::new()),
        Unknown::Property(String::new()),
        Unknown::Internal,
    ];
    let faults = [
        Check::Deref,
        Check::Free,
        Check::Leak,
        Check::Track,
        Check::Overflow,
        Check::Div,
        Check::Shift,
        Check::UnsignedOverflow,
        Check::Conversion,
        Check::Uninitialised,
    ];
    let faults = faults.into_iter().map(of_check);
    reasons.iter().map(of_reason).chain(REACHED).chain(faults).chain(TERMS).collect()
}
