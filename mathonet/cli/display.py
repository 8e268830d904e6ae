"""What the command line shows: live progress, the result, the list of systems."""

from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from mathonet import systems
from mathonet.interruption import Watch
from mathonet.result.discover import Discovery
from mathonet.search.proposers.sweep import CycleReport
from mathonet.search.samples.search import Stage

STYLES = {"exact": "green", "good": "green", "undecided": "yellow", "doubtful": "yellow", "poor": "red"}


class LiveProgress:
    """A table that follows the search: one row an equation, with the best form and the best run so far.

    On something that is no terminal it writes one line for every proposer and stage instead.
    """

    def __init__(self, console: Console, names: tuple[str, ...], watch: Watch) -> None:
        """Set where to show, the states' names, and the watch over the search."""
        self.console = console
        self.names = names
        self.watch = watch
        self.rung: str | None = None
        self.line = ""
        self.content: RenderableType = Text("compiling (once; kept for the next run) ...")
        self.live = Live(
            console=console, transient=True, refresh_per_second=4, get_renderable=lambda: self._view()
        )

    def __enter__(self) -> "LiveProgress":
        """Start the display."""
        if self.console.is_terminal:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the display."""
        self.live.stop()

    def __call__(self, rung: str, report: CycleReport | Stage) -> None:
        """Show a report, or what the search does between cycles."""
        if not self.console.is_terminal:
            self._write(rung, report)
        elif isinstance(report, Stage):
            lines = [Text(f"{rung}: {report.doing} ...", style="italic")]
            lines += [
                Text(f"  {equation}", no_wrap=True, overflow="ellipsis") for equation in report.equations
            ]
            self.content = Group(*lines)
        else:
            self.content = self._table(rung, report)

    def _write(self, rung: str, report: CycleReport | Stage) -> None:
        if isinstance(report, Stage):
            line = f"{rung}: {report.doing} ..."
        elif rung == self.rung:
            return
        else:
            line = f"{rung}: {report.runs} runs of at most {report.cycles} cycles ..."
        self.rung = rung
        if line == self.line:
            return
        self.line = line
        self.console.print(f"[{self._time()}] {line}", markup=False, highlight=False, soft_wrap=True)

    def _table(self, rung: str, report: CycleReport) -> Table:
        going = f"{report.running} of {report.runs} runs going"
        table = Table(
            title=f"{rung}: cycle {report.cycle} of at most {report.cycles}, {going}",
            title_justify="left",
            box=None,
            padding=(0, 2),
            expand=True,
        )
        table.add_column("best so far", no_wrap=True, overflow="ellipsis", ratio=1)
        for column in ("error", "weights", "terms"):
            table.add_column(column, justify="right", no_wrap=True, min_width=len("settled"))
        # A joint network has one best run for all equations; a settled one has none of its own.
        runs = list(zip(report.error, report.weights, report.terms, strict=True))
        order = report.targets or range(len(report.equations))
        of = dict(zip(order, runs if report.targets else runs * len(report.equations), strict=True))
        for target, equation in enumerate(report.equations):
            error, weights, terms = of.get(target, (None, "", ""))
            shown = "settled" if error is None else f"{error:.1e}"
            table.add_row(Text(equation), shown, str(weights), str(terms))
        return table

    def _time(self) -> str:
        """How long it took, and how long it may take."""
        spent = f"{self.watch.spent:.0f} s"
        return spent if self.watch.budget is None else f"{spent}, {max(self.watch.left, 0.0):.0f} s left"

    def _view(self) -> RenderableType:
        return Group(self.content, Text(f"{self._time()}; Ctrl-C ends it with the best so far", style="dim"))


def show_result(console: Console, discovery: Discovery, again: str = "") -> None:
    """The equations and how sure they are; `again` goes on with a search cut short."""
    console.print()
    if discovery.measured is not None:
        console.print(Text(discovery.measured.describe()), soft_wrap=True)
        console.print()
    simple = discovery.simple()
    for number, (equation, trust) in enumerate(zip(discovery.system.equations, discovery.trust, strict=True)):
        console.print(Text(f"  {equation.text()}", style="bold"), soft_wrap=True)
        chosen = discovery.chosen_for(number)
        if chosen is not None:
            found = f"found by {discovery.origin(chosen)}, relative error {chosen.error:.1e}"
            if discovery.measured is not None:
                found = "fitted on the measured states"
            console.print(f"    {trust.level}: {found}", style=STYLES[trust.level], highlight=False)
        for sentence in trust.words:
            console.print(Text(f"    - {sentence}"), soft_wrap=True)
        if number in simple:
            line = f"    - simple numbers within the errors: {simple[number].text()}"
            console.print(Text(line), soft_wrap=True)
    table = Table(title="Coefficients", title_justify="left", box=None, padding=(0, 2))
    rows = discovery.system.coefficients().to_dict("records")
    for column in ("equation", "term", "value", "95 % interval", *(["unit"] if "unit" in rows[0] else [])):
        table.add_column(column, justify="right" if column in ("value", "95 % interval") else "left")
    for row in rows:
        interval = f"{row['low']:.6g} .. {row['high']:.6g}"
        unit = [Text(row["unit"])] if "unit" in row else []
        table.add_row(Text(f"{row['target']}'"), Text(row["term"]), f"{row['value']:.6g}", interval, *unit)
    console.print()
    console.print(table)
    console.print()
    if (missing := discovery.missing()) is not None:
        console.print(Text(missing, style="yellow"), soft_wrap=True)
    if discovery.cut is not None:
        left = "; ".join(discovery.cut.left_out)
        console.print(
            Text(f"Cut short: {discovery.cut.why}. Left out or not finished: {left}.", style="yellow"),
            soft_wrap=True,
        )
        if again:
            console.print(Text(f"To go on: {again}"), soft_wrap=True)


def show_end(console: Console, seconds: float, folder: Path) -> None:
    """How long the user has waited, and where the results lie."""
    console.print(f"{seconds:.1f} s. Results in {escape(str(folder))}/", highlight=False, soft_wrap=True)


def show_systems(console: Console) -> None:
    """The built-in systems: name, title, equations."""
    table = Table(box=None, padding=(0, 2))
    for column in ("name", "system", "states", "equations"):
        table.add_column(column, overflow="fold")
    for system in systems.all_systems():
        equations = "\n".join(
            f"{name}' = {rhs}" for name, rhs in zip(system.states, system.equations, strict=True)
        )
        table.add_row(system.name, system.title, str(len(system.states)), equations)
    console.print(table)
