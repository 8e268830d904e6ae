"""What the command line shows: live progress, the result, the list of systems."""

from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from mathonet import systems
from mathonet.discovery.discover import Discovery
from mathonet.discovery.search import Stage
from mathonet.discovery.sweep import CycleReport

STYLES = {"exact": "green", "good": "green", "undecided": "yellow", "doubtful": "yellow", "poor": "red"}


class LiveProgress:
    """A table that follows the search: one row an equation, error and terms of its best run so far.

    On something that is no terminal it writes one line a cycle instead.
    """

    def __init__(self, console: Console, names: tuple[str, ...]) -> None:
        """Set where to show, and the states' names."""
        self.console = console
        self.names = names
        self.live = Live(console=console, transient=True, refresh_per_second=8)

    def __enter__(self) -> "LiveProgress":
        """Start the display."""
        if self.console.is_terminal:
            self.live.start()
            self.live.update(Text("compiling (once; kept for the next run) ..."))
        return self

    def __exit__(self, *_: object) -> None:
        """End the display."""
        self.live.stop()

    def __call__(self, rung: str, report: CycleReport | Stage) -> None:
        """Show a report, or what the search does between cycles."""
        if isinstance(report, Stage):
            self._show(Text(f"{rung}: {report.doing} ..."))
            return
        going = f"{report.running} of {report.runs} runs going"
        title = f"{rung}: cycle {report.cycle} of at most {report.cycles}, {going}"
        # A joint network has one best run for all equations.
        rows = list(zip(report.error, report.weights, report.terms, strict=True))
        names = [f"{self.names[target]}'" for target in report.targets] or ["all"]
        if not self.console.is_terminal:
            parts = [
                f"{name} relative error {error:.1e}, {terms} terms"
                for name, (error, _, terms) in zip(names, rows, strict=True)
            ]
            self.console.print(f"{title}: {'; '.join(parts)}", markup=False, highlight=False, soft_wrap=True)
            return
        table = Table(title=title, title_justify="left", box=None, padding=(0, 2))
        for column in ("equation", "relative error", "weights left", "terms left"):
            table.add_column(column, justify="left" if column == "equation" else "right")
        for name, (error, weights, terms) in zip(names, rows, strict=True):
            table.add_row(Text(name), f"{error:.1e}", str(weights), str(terms))
        self._show(table)

    def _show(self, content: Table | Text) -> None:
        if self.console.is_terminal:
            self.live.update(content)
        else:
            self.console.print(content)


def show_result(console: Console, discovery: Discovery, folder: Path) -> None:
    """The equations, how sure they are, and where the results lie."""
    console.print()
    if discovery.measured is not None:
        console.print(Text(discovery.measured.describe()), soft_wrap=True)
        console.print()
    for number, (equation, trust) in enumerate(zip(discovery.system.equations, discovery.trust, strict=True)):
        console.print(Text(f"  {equation.text()}", style="bold"), soft_wrap=True)
        chosen = discovery.chosen_for(number)
        if chosen is not None:
            found = f"found by {chosen.hits} runs, relative error {chosen.error:.1e}"
            if discovery.measured is not None:
                found = "fitted on the measured states"
            console.print(f"    {trust.level}: {found}", style=STYLES[trust.level], highlight=False)
        for sentence in trust.words:
            console.print(Text(f"    - {sentence}"), soft_wrap=True)
    table = Table(title="Coefficients", title_justify="left", box=None, padding=(0, 2))
    for column in ("equation", "term", "value", "95 % interval"):
        table.add_column(column, justify="right" if column in ("value", "95 % interval") else "left")
    for equation in discovery.system.equations:
        for row in equation.coefficients().to_dict("records"):
            interval = f"{row['low']:.6g} .. {row['high']:.6g}"
            table.add_row(Text(f"{row['target']}'"), Text(row["term"]), f"{row['value']:.6g}", interval)
    console.print()
    console.print(table)
    console.print()
    console.print(
        f"{discovery.seconds:.1f} s. Results in {escape(str(folder))}/", highlight=False, soft_wrap=True
    )


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
