//! Words of the output that are neither reasons nor violations, with their explanations.

use super::entry::{Entry, WordKind};

/// Words that stand elsewhere in the output.
pub const TERMS: [Entry; 54] = [
    Entry {
        name: "TRUE",
        kind: WordKind::Term,
        summary: "no execution violates what was checked",
        meaning: "Whatever the inputs are, no execution fails any of the checks, under the assumptions that the run \
                  lists. The exit code is 0.",
        cause: "A proof was found. The lines above say by which argument, and list the invariants of loops.",
        advice: "Read the assumptions, since the proof rests on them. `--certify` has the proof checked again, and \
                 `--check all` asks for more kinds of faults.",
        examples: &["proviso check program.c --certify", "proviso check program.c --check all"],
    },
    Entry {
        name: "FALSE",
        kind: WordKind::Term,
        summary: "an execution violates a check, and it was repeated",
        meaning: "The execution above the last line fails the check that the brackets name. The interpreter has \
                  repeated it step by step. The exit code is 10.",
        cause: "There are inputs with which the program does what it must not.",
        advice: "Look at the inputs and the last lines of the counterexample; `proviso explain` explains the name in \
                 the brackets.",
        examples: &["proviso check program.c --output-dir out", "proviso explain valid-deref"],
    },
    Entry {
        name: "UNKNOWN",
        kind: WordKind::Term,
        summary: "neither TRUE nor FALSE is known, for the reason in brackets",
        meaning: "The run ended without an answer. The page above the last line is the proviso: what is proved all \
                  the same, what was not explored, and commands that would go on. The exit code is 20.",
        cause: "A limit, something that is not modelled, or a program that the analysis is too weak for.",
        advice: "Follow the commands under *To go on*; `proviso explain` explains the reason in the brackets.",
        examples: &[
            "proviso check program.c --timelimit 60s --output-dir out",
            "proviso explain \"time limit\"",
        ],
    },
    Entry {
        name: "proviso",
        kind: WordKind::Term,
        summary: "what is known after a run without an answer",
        meaning: "A page that says why the run stopped, which checks are proved or open, what was not explored (with \
                  inputs), what was covered, and how to go on.",
        cause: "It is made after every UNKNOWN, from what the run had analysed (Castaño 2018). A part of the time \
                limit is kept for it: `--report-budget`.",
        advice: "Have it written to a folder, and open `proviso.html` or `report.html` in a browser.",
        examples: &["proviso check program.c --timelimit 60s --output-dir out"],
    },
    Entry {
        name: "check",
        kind: WordKind::Term,
        summary: "a place of the program where something can go wrong",
        meaning: "An assert, a call of an error function, or an operation that may be a fault (an access, a division). \
                  The table of checks says of each whether it is proved, open, not reached or violated.",
        cause: "`--property`, `--spec` and `--check` say which operations count.",
        advice: "The table lists asserts and error calls before faults, and checks that are not proved before \
                 proved checks.",
        examples: &["proviso check program.c --check deref,div,overflow"],
    },
    Entry {
        name: "proved",
        kind: WordKind::Term,
        summary: "no execution fails this check",
        meaning: "No execution, whatever its inputs and however long it is, fails the check. That holds also after \
                  UNKNOWN, under the assumptions that the run lists.",
        cause: "All ways to the check were analysed.",
        advice: "Nothing needs to be done about this check.",
        examples: &["proviso check program.c --timelimit 10s"],
    },
    Entry {
        name: "open",
        kind: WordKind::Term,
        summary: "no execution that was analysed fails this check, but others were not analysed",
        meaning: "Whether the check can fail is not known. No execution that was looked at fails it.",
        cause: "The run stopped before all executions that get there were analysed: at a limit, or because another \
                check is violated.",
        advice: "After a violation, mend the program and run again. After a limit, look under *Not explored* for \
                 inputs that lead there, and go on with the command below.",
        examples: &["proviso continue program.c --assumption out/assumption.spc"],
    },
    Entry {
        name: "not reached",
        kind: WordKind::Term,
        summary: "no execution that was analysed gets to this check",
        meaning: "Nothing that was analysed reaches the check, so nothing is known about it. That is no proof.",
        cause: "The check stands behind a loop with more rounds than were followed, or behind something that is not \
                modelled.",
        advice: "Give more time, allow more rounds (`--unroll`), or check the function alone with \
                 `--entry-function`.",
        examples: &["proviso check program.c --entry-function f"],
    },
    Entry {
        name: "violated",
        kind: WordKind::Term,
        summary: "the execution that is shown fails this check",
        meaning: "The counterexample above ends at this check. Other checks may be violated, too: a run ends with the \
                  first one that it finds.",
        cause: "There are inputs with which the check fails.",
        advice: "Mend this violation and run again, to learn about the checks that are open.",
        examples: &["proviso check program.c"],
    },
    Entry {
        name: "assumption",
        kind: WordKind::Term,
        summary: "something that the answer takes for granted",
        meaning: "The answer holds if the assumption does. Assumptions are written to standard error and are part of \
                  every report.",
        cause: "The program does not say it (what a function without a body does), or nobody asked for a check of it \
                (`accesses are in bounds: not checked`).",
        advice: "Ask for the check, give the function a body, or choose what is assumed: `--external`, \
                 `--malloc-may-fail`, `--globals`, `--volatile`.",
        examples: &["proviso check program.c --check all --malloc-may-fail --external havoc"],
    },
    Entry {
        name: "stage",
        kind: WordKind::Term,
        summary: "one of the analyses that `auto` tries in turn",
        meaning: "Without `--analysis`, several analyses are tried, each for a part of the time, until one of them \
                  answers. A line with the name of a stage says what it found, how long it took, and why it ended. \
                  Where there are 30 seconds or more, all stages share ten of them first.",
        cause: "No analysis is good for all programs. Which stages there are depends on the program: whether it has \
                loops, inputs, memory and recursion.",
        advice: "`--stats` lists the stages of every run. If one of them is known to be good for a program, ask for it by \
                 `--analysis`.",
        examples: &[
            "proviso check program.c --stats",
            "proviso check program.c --analysis predicate",
        ],
    },
    Entry {
        name: "memory outside",
        kind: WordKind::Term,
        summary: "memory that the program uses and does not have itself, such as what a driver gets from the kernel",
        meaning: "A pointer that a function without a body returns, or that nobody has set, points to memory which \
                  holds anything. It is none of the objects of the program, unless `--outside-pointers any` says \
                  that it may be.",
        cause: "The program calls functions without a body that give it pointers, or its entry function has pointers as \
                parameters.",
        advice: "Give the function a body that returns what matters, or say with `--outside-pointers any` that such \
                 pointers may be to objects of the program, too.",
        examples: &["proviso check program.c --outside-pointers any"],
    },
    Entry {
        name: "round",
        kind: WordKind::Term,
        summary: "one time through the body of a loop",
        meaning: "`at most 3 rounds of each loop` is about executions that go through the body of every loop three \
                  times or less, counted anew whenever the loop is entered. `later rounds of the loop at line 7` are those that \
                  come after the rounds that were followed.",
        cause: "Bounded model checking follows executions round by round.",
        advice: "`--unroll` limits the rounds; `k-induction` and `predicate` prove what holds after any number.",
        examples: &["proviso check program.c --analysis bmc --unroll 10"],
    },
    Entry {
        name: "k",
        kind: WordKind::Term,
        summary: "the number of rounds that a proof by induction looks back",
        meaning: "`the property is k-inductive` says: after any k rounds of a loop in which nothing failed, nothing \
                  fails in the next one, and nothing fails in the first k. So nothing ever fails. A property that is \
                  0-inductive needs no look back.",
        cause: "`--analysis k-induction`, or `auto`, found the proof by induction.",
        advice: "If k grows without an answer, the loop needs an invariant that was not found; try `predicate`, or \
                 add an assert with the invariant to the loop.",
        examples: &["proviso check program.c --analysis k-induction"],
    },
    Entry {
        name: "invariant",
        kind: WordKind::Term,
        summary: "a condition that holds whenever the head of a loop is passed",
        meaning: "`invariant: program.c:6:5: i <= n` says that `i <= n` holds each time the condition of the loop at \
                  line 6, column 5 is evaluated. It was proved.",
        cause: "Proofs about loops need a condition that every round keeps.",
        advice: "Invariants are worth reading as documentation. `correctness.yml` has them for other tools.",
        examples: &["proviso check program.c --output-dir out"],
    },
    Entry {
        name: "not explored",
        kind: WordKind::Term,
        summary: "an execution whose next step was not analysed",
        meaning: "The list has the shortest executions up to a step that was not analysed, each with inputs. The \
                  interpreter has taken the steps up to there. In the literature this is a frontier trace.",
        cause: "The run stopped there, or something that is not modelled follows.",
        advice: "Run the inputs and look at what follows, or test it by hand.",
        examples: &["proviso run program.c --inputs out/frontier-1.txt --trace"],
    },
    Entry {
        name: "safe cone",
        kind: WordKind::Term,
        summary: "an execution after which everything was analysed",
        meaning: "Every execution that begins like this is proved, however it goes on. The page tells safe cones \
                  under *Proved*.",
        cause: "All that can follow was analysed, and no check fails there.",
        advice: "Nothing needs to be done about these executions; test the others.",
        examples: &["proviso traces out --cones"],
    },
    Entry {
        name: "assumption automaton",
        kind: WordKind::Term,
        summary: "a file that says which executions were analysed",
        meaning: "The assumption automaton is the file `assumption.spc` of a run that ended with UNKNOWN. It reads an \
                  execution step by step, and tells whether the run had analysed the execution, and under which \
                  conditions on the variables. A later run leaves out the executions that the automaton calls \
                  analysed; if this later run answers TRUE, the answer rests on the automaton for these executions.",
        cause: "`--output-dir` was given, and the run had no answer. The file is written in CPAchecker's language, \
                and files of CPAchecker are read, too.",
        advice: "Go on with `proviso continue`, with the same program and the same property. Leave the automaton out \
                 and run `proviso check` if you do not trust it.",
        examples: &[
            "proviso check program.c --timelimit 60s --output-dir out",
            "proviso continue program.c --assumption out/assumption.spc --analysis predicate",
        ],
    },
    Entry {
        name: "abstract state",
        kind: WordKind::Term,
        summary: "a set of states of the program that an analysis treats as one",
        meaning: "An abstract state says what is known at a place, such as `x = 3` or `x <= y`. A run whose abstract \
                  states have all been expanded and contain no error has proved the program.",
        cause: "The analyses `value`, `predicate`, `product` and their combinations explore abstract states.",
        advice: "Draw them with `--arg`, to see what the analysis knows.",
        examples: &["proviso check program.c --analysis predicate --arg graph.html"],
    },
    Entry {
        name: "refinement",
        kind: WordKind::Term,
        summary: "a step in which an analysis learns what else it has to track",
        meaning: "The analysis met a path to an error that no execution takes, and tracks from then on what excludes \
                  it: a variable, or a predicate such as `x < n`.",
        cause: "An abstraction starts coarse, and becomes finer where that is needed.",
        advice: "`-v` and `--log` tell each refinement. Very many of them say that another analysis may suit better.",
        examples: &["proviso check program.c --analysis predicate --log refinements.jsonl -v"],
    },
    Entry {
        name: "certified",
        kind: WordKind::Term,
        summary: "the proof of TRUE was checked again by other code",
        meaning: "With `--certify`, the invariants of the proof were checked by code that shares little with the \
                  analysis: the program model, the terms, the solver and plain data. If the line goes on with `of \
                  the program with`, the proof is about a program that was made of yours, and nobody has checked \
                  how that program was made. An obligation is one thing that the checker had to prove. `not certified` says that nobody has checked the proof; TRUE stands \
                  all the same.",
        cause: "You asked for it. A proof that rests on memory which the checker does not follow, or that takes too \
                long to check, is not certified, and the line says so.",
        advice: "Give it more time, or choose another analysis if you need a certificate.",
        examples: &["proviso check program.c --analysis predicate --certify"],
    },
    Entry {
        name: "counterexample",
        kind: WordKind::Term,
        summary: "an execution that violates the property, step by step",
        meaning: "Each line shows a line of the program that is executed, and beside it what changes: `x = 3 (input)` is \
                  a value from outside, `true` or `case 2` is how a condition is decided, `(again)` the same line \
                  once more, `(returned)` the rest of a line after a call in it, `heap#1` the first object that was \
                  allocated, `(freed)` and `(gone)` a pointer to an object whose life has ended. `besides those that \
                  are left out` says that steps which tell nothing are not shown, such as rounds of a loop. The \
                  interpreter has executed all of it.",
        cause: "The inputs that are listed above the steps lead to the error.",
        advice: "Read it from the error upwards until a value surprises you. `--output-dir` keeps the inputs, and \
                 a harness that repeats the execution outside of this tool.",
        examples: &["proviso run program.c --inputs out/inputs.txt --trace"],
    },
    Entry {
        name: "harness",
        kind: WordKind::Term,
        summary: "a C file that gives a program the inputs of a counterexample",
        meaning: "`harness.c` defines the input functions of the program. Compiled together, the program and this \
                  file make a binary that runs into the error, so that a debugger can show the failure. The first \
                  lines of the file say how.",
        cause: "`--output-dir` was given, and the answer is FALSE.",
        advice: "Compile the harness with the program and start a debugger, or keep the harness as a test.",
        examples: &["proviso check program.c --output-dir out"],
    },
    Entry {
        name: "bounded model checking",
        kind: WordKind::Term,
        summary: "looks at all executions with few rounds of each loop, then at those with more",
        meaning: "All executions with a limited number of rounds are one formula, and a solver says whether one of \
                  these executions violates the property. A program whose loops end within this limit is proved in \
                  this way, too.",
        cause: "It is the analysis `bmc`, and a stage of `auto`.",
        advice: "Use it to find violations. `--unroll` sets the number of rounds.",
        examples: &["proviso check program.c --analysis bmc --unroll 10"],
    },
    Entry {
        name: "bounded model checking with many rounds at once",
        kind: WordKind::Term,
        summary: "looks for violations behind many rounds of a loop",
        meaning: "Where a path through the body of a loop does the same again and again, any number of rounds along \
                  this path becomes one step. So a violation behind thousands of rounds is a few steps away. The \
                  stage finds violations, and proves nothing.",
        cause: "It is a stage of `auto`, for programs with loops.",
        advice: "Nothing needs to be done. Other stages prove.",
        examples: &["proviso check program.c -v"],
    },
    Entry {
        name: "trial runs",
        kind: WordKind::Term,
        summary: "executions with inputs that are drawn at random",
        meaning: "The interpreter runs the program a few times. A violation that it meets is a counterexample. Meeting \
                  none proves nothing, with one exception: a program that asks for no input and uses no memory has one \
                  execution, and if that ends without a violation, the program is safe.",
        cause: "They are a stage of `auto`, since they cost little.",
        advice: "Nothing needs to be done. Other stages prove.",
        examples: &["proviso check program.c -v"],
    },
    Entry {
        name: "witness",
        kind: WordKind::Term,
        summary: "a file from which other tools can repeat the answer",
        meaning: "`violation.yml` leads another tool to the violation, `correctness.yml` has the invariants of a proof. \
                  Both are in the format of SV-COMP.",
        cause: "`--output-dir` was given.",
        advice: "`proviso validate` confirms witnesses, also those of other tools.",
        examples: &["proviso validate program.c --witness out/violation.yml"],
    },
    Entry {
        name: "could not be decided",
        kind: WordKind::Term,
        summary: "an execution gets to this check, and whether the check can fail there is not known",
        meaning: "The executions that were looked at get up to the check. Whether one of them fails it was not found \
                  out, so the check is open.",
        cause: "The formula of the last step is too hard for the solver, or too large for the time that is left, or \
                the model leaves open what a value is.",
        advice: "Give more time, or try another solver. The inputs under *Not explored* lead up to the check.",
        examples: &[
            "proviso check program.c --timelimit 30min",
            "proviso check program.c --solver z3",
        ],
    },
    Entry {
        name: "coverage",
        kind: WordKind::Term,
        summary: "how many lines and branches of the program the executions pass that were found",
        meaning: "`12 of 20 lines` counts the lines that an execution passes which the interpreter has taken to its \
                  end. A line that the analysis has seen is one that it got to, whether or not such an execution was \
                  found; a line that is not seen was never looked at.",
        cause: "The page of a run without an answer has it, and `proviso coverage` looks for nothing else.",
        advice: "Look at the lines that are not seen first. A line that is not covered may still be proved.",
        examples: &[
            "proviso coverage program.c",
            "proviso check program.c --timelimit 60s --output-dir out",
        ],
    },
    Entry {
        name: "deeper recursion",
        kind: WordKind::Term,
        summary: "calls of functions within themselves, deeper than the run has followed them",
        meaning: "The check can only be reached, or can only fail, in calls that are nested deeper than those that were \
                  followed. Nothing is known about them.",
        cause: "Bounded model checking follows a function that calls itself to a depth, as it follows loops for some \
                rounds.",
        advice: "Give more time or raise `--unroll`, or choose an analysis that proves what holds at any depth.",
        examples: &[
            "proviso check program.c --unroll 40",
            "proviso check program.c --analysis value",
        ],
    },
    Entry {
        name: "covered",
        kind: WordKind::Term,
        summary: "looked at already: states that another state contains, or lines that executions pass",
        meaning: "An abstract state is covered if another abstract state at the same place contains it: everything \
                  that can follow is analysed from the other state. In a graph, a target is a state at an error, \
                  and a pending state was not expanded. A line of the program is covered if an execution that was \
                  found to its end passes it.",
        cause: "`--arg` counts states as expanded, covered, targets or pending; the page of a result marks \
                covered lines.",
        advice: "Nothing needs to be done. A line that is not covered may still be proved.",
        examples: &["proviso check program.c --analysis predicate --arg graph.html"],
    },
    Entry {
        name: "cut off",
        kind: WordKind::Term,
        summary: "abstract states that a refinement has removed from the graph",
        meaning: "A refinement cuts off the abstract states below a place of the graph, since they were reached \
                  before the analysis knew enough there. The analysis then explores this part of the graph again, \
                  with the variables and predicates that it has learned. States that are cut off count neither \
                  for a proof nor against it.",
        cause: "The analysis met a path to an error that no execution takes. In the page of a graph the states that \
                are cut off are grey, and `--log` counts them (`removed`).",
        advice: "Nothing needs to be done. If the whole graph is cut off again and again, another analysis may suit \
                 better.",
        examples: &["proviso check program.c --analysis predicate --arg graph.html"],
    },
    Entry {
        name: "summarised",
        kind: WordKind::Term,
        summary: "all rounds of a loop were taken as one step",
        meaning: "The variables of the loop change regularly, so that their values after any number of rounds \
                  are a formula. The analysis takes all rounds by this formula, and executions are followed \
                  through the loop without going round it.",
        cause: "A simple loop counts or sums up.",
        advice: "With `--summarize-loops off`, loops are followed round by round.",
        examples: &["proviso check program.c"],
    },
    Entry {
        name: "confirmed",
        kind: WordKind::Term,
        summary: "an answer of `proviso validate`: the statements of a witness were found to be true",
        meaning: "`violation confirmed`: an execution that the witness describes was found and replayed. `proof \
                  confirmed`: the invariants of the witness hold, and the program was proved with them. `not \
                  confirmed` says that neither succeeded, with a reason; it does not say that the witness is \
                  wrong. If an execution is found only when the statements of the witness about variables are left \
                  aside, a line says so.",
        cause: "A witness was given to `proviso validate`.",
        advice: "Read the reason in brackets, give more time, or look at the place of the witness that it names.",
        examples: &["proviso validate program.c --witness out/violation.yml"],
    },
    Entry {
        name: "data model",
        kind: WordKind::Term,
        summary: "how wide the types of C are: ILP32 or LP64",
        meaning: "In LP64, `long` and pointers have 64 bits; in ILP32, they have 32 bits like `int`. Answers \
                  hold for the data model that was chosen.",
        cause: "C leaves the widths of its types to the machine.",
        advice: "Choose the data model of the machine on which the program runs, by `--32` or `--64`.",
        examples: &["proviso check program.c --32"],
    },
    Entry {
        name: "havoc",
        kind: WordKind::Term,
        summary: "may change to anything",
        meaning: "A variable or a piece of memory that is havocked may have any value from there on; the \
                  analysis considers all of them.",
        cause: "A function without a body (`--external havoc`) or an instruction of assembly may have written the \
                variable or the memory.",
        advice: "Give the function a body, so that fewer values have to be considered.",
        examples: &["proviso check program.c --external havoc"],
    },
    Entry {
        name: "answered",
        kind: WordKind::Term,
        summary: "the end of a stage that gave the answer",
        meaning: "`auto` runs several stages, one after another or side by side. The stage that ends as answered \
                  has found the proof or the violation; the others end with a reason, such as exhausted or time \
                  limit, which says nothing against the answer.",
        cause: "Results list each stage with the way it ended.",
        advice: "Nothing needs to be done.",
        examples: &["proviso check program.c -v"],
    },
    Entry {
        name: "intervals",
        kind: WordKind::Term,
        summary: "a quick look at the range of each variable",
        meaning: "The stage finds for each place of the program between which numbers each variable lies, such as \
                  `0 <= i <= 10`. It proves the checks for which these ranges are enough, and tells the stages of \
                  k-induction what it has found out about loops. The ranges do not say how one variable depends on \
                  another, and say nothing of memory.",
        cause: "It is a stage of `auto`, at the beginning, and the analysis `interval`.",
        advice: "Nothing needs to be done. If the stage ends as exhausted, the ranges were not enough, and other \
                 stages go on.",
        examples: &["proviso check program.c -v", "proviso check program.c --analysis interval"],
    },
    Entry {
        name: "explicit values",
        kind: WordKind::Term,
        summary: "follows the values of variables from place to place",
        meaning: "The analysis knows of each variable one value, or none. A condition whose variables have values \
                  leads one way; another condition leads both ways. If no path that is left reaches a violation, the \
                  program is proved.",
        cause: "It is the analysis `value`, and a stage of `auto`.",
        advice: "Use it for programs whose behaviour hangs on flags, states and counters with few values.",
        examples: &["proviso check program.c --analysis value"],
    },
    Entry {
        name: "explicit values with refinement",
        kind: WordKind::Term,
        summary: "explicit values of those variables alone that matter",
        meaning: "The analysis begins without the value of any variable. Each path to a violation that no execution \
                  takes says which variables have to be followed at which places.",
        cause: "It is the analysis `value-itp`, and a stage of `auto`.",
        advice: "Use it for large programs in which a few variables decide.",
        examples: &["proviso check program.c --analysis value-itp"],
    },
    Entry {
        name: "explicit values with summaries of functions",
        kind: WordKind::Term,
        summary: "explicit values, with each function followed once for what it is called with",
        meaning: "What a function does when it is called in one state is kept, and used again for calls in the same \
                  state. So programs with many calls, and recursion, need fewer steps.",
        cause: "It is a stage of `auto`, for programs that use memory of others, as drivers do.",
        advice: "Nothing needs to be done.",
        examples: &["proviso check program.c -v"],
    },
    Entry {
        name: "predicate abstraction",
        kind: WordKind::Term,
        summary: "follows which of some conditions hold, instead of values",
        meaning: "The analysis knows of each place which predicates hold there, such as `i < n`. It begins without \
                  predicates; each path to a violation that no execution takes gives new ones.",
        cause: "It is the analysis `predicate`, and a stage of `auto`.",
        advice: "Use it where variables depend on each other. `--save-precision` keeps the predicates for another run.",
        examples: &["proviso check program.c --analysis predicate"],
    },
    Entry {
        name: "explicit values and predicates",
        kind: WordKind::Term,
        summary: "explicit values for some variables, predicates for others, in one exploration",
        meaning: "Each abstract state has values and predicates side by side. A refinement decides for which \
                  variables values are enough, and for which predicates are needed.",
        cause: "These are the analyses `product` and `value-itp+predicate`, and stages of `auto`.",
        advice: "Use them where neither values nor predicates alone come to an end.",
        examples: &[
            "proviso check program.c --analysis product",
            "proviso check program.c --analysis value-itp+predicate",
        ],
    },
    Entry {
        name: "backward analysis",
        kind: WordKind::Term,
        summary: "goes from the violation back to the start, over linear arithmetic",
        meaning: "The analysis computes from which states a violation can be reached, and makes this set larger and \
                  simpler until nothing is added. If no start of the program is in it, the program is safe.",
        cause: "It is the analysis `backward`, and a stage of `auto`.",
        advice: "Use it for programs about integers and rationals with linear conditions.",
        examples: &["proviso check program.c --analysis backward"],
    },
    Entry {
        name: "facts about rounds",
        kind: WordKind::Term,
        summary: "k-induction with facts that hold after every number of rounds",
        meaning: "The stage first looks for conditions that every round of a loop keeps, such as a sum that \
                  depends on the number of rounds, and then proves the property with their help.",
        cause: "It is a stage of `auto`.",
        advice: "Nothing needs to be done.",
        examples: &["proviso check program.c -v"],
    },
    Entry {
        name: "arrays by one element",
        kind: WordKind::Term,
        summary: "a proof about all elements of an array, which follows one element",
        meaning: "The analysis follows an element whose index may be any, and treats the other elements as \
                  unknown. A proof about that one element holds for all elements.",
        cause: "It is a stage of `auto`, for loops over arrays.",
        advice: "Nothing needs to be done.",
        examples: &["proviso check program.c -v"],
    },
    Entry {
        name: "many objects by one of them",
        kind: WordKind::Term,
        summary: "a proof about all objects that a loop allocates, which follows one object",
        meaning: "The analysis follows one object, which may be any of those that an operation makes, and treats \
                  the other objects as unknown. A proof about that one object holds for all objects.",
        cause: "It is a stage of `auto`, for lists and other structures on the heap.",
        advice: "Nothing needs to be done.",
        examples: &["proviso check program.c -v"],
    },
    Entry {
        name: "contracts of functions",
        kind: WordKind::Term,
        summary: "a proof that looks at functions one by one",
        meaning: "For each function a contract is guessed and proved: what the function requires when it is \
                  called, and what holds when it returns. Calls then do what the contract says, so that no call \
                  has to be followed, and recursion of any depth can be proved.",
        cause: "It is a stage of `auto`, for recursion and chains of calls.",
        advice: "Nothing needs to be done.",
        examples: &["proviso check program.c -v"],
    },
    Entry {
        name: "unreachable code reached",
        kind: WordKind::Term,
        summary: "a run gets to a place that the program calls unreachable",
        meaning: "`proviso run` executes the program, and the execution gets to `__builtin_unreachable()`. C says \
                  nothing about what follows, so the run ends there. No check looks for these places: `proviso check` \
                  assumes that they are not reached, and lists this assumption.",
        cause: "The inputs lead to a place that the author of the program thought to be impossible.",
        advice: "If the place matters, put `assert(0)` in front of it, so that `proviso check` tells whether an \
                 execution gets there.",
        examples: &["proviso run program.c --inputs inputs.txt --trace", "proviso check program.c"],
    },
    Entry {
        name: "valid-memsafety",
        kind: WordKind::Term,
        summary: "three checks of memory together: `valid-deref`, `valid-free` and `valid-memtrack`",
        meaning: "FALSE names the one of the three that is violated. TRUE says that every access is within a \
                  live object, that only live blocks of the heap are freed, and that none is lost.",
        cause: "It is a property of SV-COMP.",
        advice: "Ask for the checks by their names if one of them alone matters.",
        examples: &["proviso check program.c --property valid-memsafety"],
    },
    Entry {
        name: "Nothing to verify",
        kind: WordKind::Term,
        summary: "the program has nothing that could fail, so TRUE says nothing about it",
        meaning: "No assert, no call of an error function and no operation that counts as a fault can be reached from \
                  the function where executions begin. Such a program is TRUE whatever it computes.",
        cause: "The program has no assert, the checks that were asked for are about something that it does not do, or \
                the code with the asserts is not called from the entry function.",
        advice: "Add an assert, ask for more kinds of faults with `--check all`, or name the function that matters \
                 with `--entry-function`.",
        examples: &[
            "proviso check program.c --check all",
            "proviso check program.c --entry-function f",
        ],
    },
    Entry {
        name: "note",
        kind: WordKind::Term,
        summary: "a remark that does not change the answer",
        meaning: "A line that begins with `note:` is written to standard error. It says where more can be read, or \
                  what was done in another way than asked, such as queries that could not be written to a file. A \
                  `warning:` says that an option or a file may mean something else than you think, an `error:` that \
                  the command could not be carried out.",
        cause: "Something happened that you may want to know.",
        advice: "Nothing needs to be done. With `--quiet`, most notes are left out.",
        examples: &["proviso check program.c --quiet"],
    },
    Entry {
        name: "Error",
        kind: WordKind::Term,
        summary: "the line below a counterexample that says what fails, and where",
        meaning: "`Error: double free at a.c:12:5: heap#1 was freed at line 10` names the fault, the place in the \
                  program, and the values that the fault depends on. In the lines above, the word `error` stands \
                  beside the step that fails.",
        cause: "The answer is FALSE: the execution that is shown ends there.",
        advice: "Have the whole line explained; `proviso explain` finds the kind of the fault in it.",
        examples: &["proviso explain \"double free\"", "proviso explain counterexample"],
    },
    Entry {
        name: "inline assembly",
        kind: WordKind::Term,
        summary: "instructions of the processor in the text of the program (`asm`), which are not read",
        meaning: "With `--asm havoc`, which is the default, the outputs of the instructions hold anything afterwards, \
                  and nothing else has changed; the run lists this as an assumption. A violation that depends on such \
                  an output is not reported, since the instructions may never give that value. With `--asm error`, a \
                  run that gets to the instructions ends as unsupported.",
        cause: "Drivers, libraries and headers of systems use `asm` for what C cannot say.",
        advice: "Replace the instructions by C with the same effect, for example with `#ifdef` and `-D`.",
        examples: &["proviso check program.c --asm error", "proviso check program.c -D NO_ASM"],
    },
];
