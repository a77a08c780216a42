//! Traces: executions up to a step, with the inputs that lead there.

use std::collections::BTreeSet;

use cfa::{FuncId, LocId, Program};
use interp::{Config, Drawn, Ending, Inputs, Listed, Observer};
use run::{Budget, Counterexample, Step};

use crate::automaton::{Automaton, StateId};
use crate::product::{Target, TargetKind, is_undecided};
use crate::ways::landing;

/// An execution up to a step. The interpreter has taken these steps with these inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Why the trace ends where it does.
    pub kind: TargetKind,
    /// Where it ends.
    pub location: LocId,
    /// The steps, the first one first.
    pub steps: Vec<Step>,
    /// What was decided on the way.
    pub drawn: Vec<Drawn>,
    /// How many edges of the program were taken; returns are not counted.
    pub taken: u64,
}

impl Trace {
    /// What the trace is an example of.
    pub(crate) const fn target(&self) -> Target {
        Target { kind: self.kind, location: self.location }
    }
}

/// Whether the function that a trace ends in has called itself, directly or over others, and has not returned.
#[must_use]
pub fn is_recursion(program: &Program, trace: &Trace) -> bool {
    let cfa = &program.cfa;
    let mut active: Vec<FuncId> = cfa.start.into_iter().collect();
    for step in &trace.steps {
        match step {
            Step::Edge(edge) => active.extend(cfa.edges[*edge].callee()),
            Step::Return(_) => {
                active.pop();
            }
        }
    }
    let last = active.pop();
    last.is_some_and(|last| active.contains(&last))
}

/// What came of following an execution.
pub(crate) enum Followed {
    /// The execution begins with this trace; the counterexample is there if the execution ends in an error after it.
    Trace(Trace, Option<Counterexample>),
    /// The execution reaches an error, and meets nothing that was looked for before the error.
    Violation(Counterexample),
    /// The execution reaches neither a target nor an error, or depends on something that is not modelled.
    Nothing,
}

/// How many steps an execution may take beyond four times the steps that a search has found.
const MORE_STEPS: u64 = 100_000;

/// The limit on the steps of a run, given the number of steps that a search has found for it.
pub(crate) fn most_steps(found: u64) -> u64 {
    found.saturating_mul(4).saturating_add(MORE_STEPS)
}

/// Runs a program with decisions, and cuts the execution where it first does what is looked for.
pub(crate) fn follow(
    program: &Program,
    automaton: &mut dyn Automaton,
    drawn: &[Drawn],
    target: Target,
    config: &Config<'_>,
) -> Followed {
    let none = BTreeSet::new();
    cut(program, automaton, &mut Listed::replay(program, drawn), (target, &none, false), config)
}

/// Runs a program with any inputs, and cuts the execution at the frontier, or at one of the `decisive` locations if
/// an error may follow there that no analysis could decide. The run stops where everything that can follow was
/// analysed.
pub(crate) fn follow_to_frontier(
    program: &Program,
    automaton: &mut dyn Automaton,
    inputs: &mut dyn Inputs,
    decisive: &BTreeSet<LocId>,
    config: &Config<'_>,
) -> Followed {
    let target = Target { kind: TargetKind::Frontier, location: base::Id::from_index(0) };
    cut(program, automaton, inputs, (target, decisive, true), config)
}

fn cut(
    program: &Program,
    automaton: &mut dyn Automaton,
    inputs: &mut dyn Inputs,
    (target, decisive, stops): (Target, &BTreeSet<LocId>, bool),
    config: &Config<'_>,
) -> Followed {
    let state = automaton.initial();
    let (steps, cut) = (Vec::new(), None);
    let mut follower = Follower { program, automaton, target, decisive, stops, state, steps, cut };
    follower.arrive(program.cfa.start.map(|start| program.cfa.functions[start].entry), 0);
    let mut sink = std::io::sink();
    let run = interp::run(program, config, inputs, Some(&mut follower), &mut sink);
    let Follower { mut steps, cut, state, target, .. } = follower;
    let violation = match run.ending {
        Ending::Error { location, .. } if run.approximated == 0 => Some(Counterexample {
            drawn: run.drawn.clone(),
            steps: run.steps,
            error: location,
            skipped: run.skipped,
        }),
        _ => None,
    };
    let ended = matches!(run.ending, Ending::Returned(_) | Ending::Exited { .. });
    let cut = match (cut, target.kind) {
        (None, TargetKind::End) if ended && state == StateId::TRUE => {
            Some((steps.len(), run.steps))
        }
        (cut, _) => cut,
    };
    let Some((length, taken)) = cut else {
        return violation.map_or(Followed::Nothing, Followed::Violation);
    };
    steps.truncate(length);
    let is_unsupported = matches!(run.ending, Ending::Unsupported { .. } | Ending::Invalid { .. });
    let kind = match target.kind {
        TargetKind::Frontier if is_unsupported && run.steps == taken => TargetKind::Unsupported,
        kind => kind,
    };
    // Once more, up to the cut: what is decided later is no input of the trace.
    let mut inputs = Listed::replay(program, &run.drawn);
    let short = Config { max_steps: taken, ..*config };
    let run = interp::run(program, &short, &mut inputs, None, &mut sink);
    if run.approximated > 0 || run.steps < taken {
        return violation.map_or(Followed::Nothing, Followed::Violation);
    }
    let location = target.location;
    Followed::Trace(Trace { kind, location, steps, drawn: run.drawn, taken }, violation)
}

/// The steps of an execution that leads to an error.
pub(crate) fn steps_to_error(
    program: &Program,
    found: &Counterexample,
    budget: &Budget,
) -> Vec<Step> {
    let mut steps = Steps(Vec::new());
    let mut inputs = Listed::replay(program, &found.drawn);
    let config = limits(found.steps, budget);
    interp::run(program, &config, &mut inputs, Some(&mut steps), &mut std::io::sink());
    steps.0
}

/// Notes the steps of a run.
struct Steps(Vec<Step>);

impl Observer for Steps {
    fn taken(&mut self, step: &interp::Step<'_>) {
        self.0.push(Step::Edge(step.edge));
    }

    fn returned(&mut self, _callee: FuncId, step: &interp::Step<'_>) {
        self.0.push(Step::Return(step.edge));
    }
}

/// The limits of a replay: some more steps than the execution that was found has, and the budget.
pub(crate) fn limits<'a>(found: u64, budget: &'a Budget) -> Config<'a> {
    Config { max_steps: most_steps(found), budget: Some(budget), ..Config::default() }
}

struct Follower<'a> {
    program: &'a Program,
    automaton: &'a mut dyn Automaton,
    target: Target,
    /// Locations, besides the target, where the follower asks whether the next step may be an error that no
    /// analysis could decide.
    decisive: &'a BTreeSet<LocId>,
    /// Whether the execution is stopped where all that can come was analysed.
    stops: bool,
    state: StateId,
    steps: Vec<Step>,
    /// How many steps there are up to the cut, and how many edges.
    cut: Option<(usize, u64)>,
}

impl Follower<'_> {
    fn go(&mut self, at: LocId, step: Step, to: LocId, number: u64) {
        if self.cut.is_some() {
            return;
        }
        self.steps.push(step);
        if !self.state.is_final() {
            // A step that the automaton holds impossible was not analysed.
            self.state = self.automaton.step(self.state, at, step).unwrap_or(StateId::FALSE);
        }
        let hit = match self.target.kind {
            TargetKind::Frontier | TargetKind::Unsupported => {
                self.state == StateId::FALSE && !self.program.cfa.locations[to].error
            }
            TargetKind::Cone => self.state == StateId::TRUE,
            TargetKind::Undecided | TargetKind::End | TargetKind::Violation => false,
        };
        if hit {
            self.target.location = to;
            self.cut = Some((self.steps.len(), number));
        } else {
            self.arrive(Some(to), number);
        }
    }

    /// Cuts the execution if the next step may be an error that no analysis could decide.
    fn arrive(&mut self, at: Option<LocId>, number: u64) {
        let Some(at) = at else { return };
        let undecided = Target { kind: TargetKind::Undecided, location: at };
        if self.target != undecided && !self.decisive.contains(&at) {
            return;
        }
        if !self.state.is_final() && is_undecided(self.program, self.automaton, self.state, at) {
            self.target = undecided;
            self.cut = Some((self.steps.len(), number));
        }
    }
}

impl Observer for Follower<'_> {
    fn taken(&mut self, step: &interp::Step<'_>) {
        let at = self.program.cfa.edges[step.edge].source;
        let to = landing(self.program, step.edge);
        self.go(at, Step::Edge(step.edge), to, step.number);
    }

    fn returned(&mut self, callee: FuncId, step: &interp::Step<'_>) {
        let at = self.program.cfa.functions[callee].exit;
        let to = self.program.cfa.edges[step.edge].target;
        self.go(at, Step::Return(step.edge), to, step.number);
    }

    fn is_done(&self) -> bool {
        self.stops && self.cut.is_none() && self.state == StateId::TRUE
    }
}
