"""Writes the everyday and the ambiguous files beside it, from known laws: so one can judge what is found.

Run it as `python tests/files/make.py`; the files it wrote are committed, and tests read those.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.integrate import solve_ivp

HERE = Path(__file__).parent
EVERYDAY, AMBIGUOUS = HERE / "everyday", HERE / "ambiguous"


def solved(law, start, t):
    return solve_ivp(law, (t[0], t[-1]), start, t_eval=t, rtol=1e-10, atol=1e-10).y.T


def noisy(x, share, seed):
    rng = np.random.default_rng(seed)
    return x + share * np.sqrt(np.mean(x**2, axis=0)) * rng.standard_normal(x.shape)


def lines(header, *columns, mark=","):
    rows = [mark.join(map(str, row)) for row in zip(*columns, strict=True)]
    return "\n".join([header, *rows]) + "\n"


def said(values, digits=4):
    return [f"{value:.{digits}f}" for value in values]


def prey_and_hunter(count=200, end=15.0, start=(2.0, 1.0)):
    t = np.linspace(0, end, count)
    return t, solved(lambda _, x: [1.3 * x[0] - 0.9 * x[0] * x[1], -1.8 * x[1] + 0.8 * x[0] * x[1]], start, t)


def everyday():
    put = EVERYDAY / "hares.csv"
    put.write_text(
        "Year,Hare,Lynx\n1900,30,4\n1901,47.2,6.1\n1902,70.2,9.8\n1903,77.4,35.2\n1904,36.3,59.4\n"
        "1905,20.6,41.7\n1906,18.1,19\n1907,21.4,13\n1908,22,8.3\n1909,25.4,9.1\n1910,27.1,7.4\n1911,40.3,8\n"
        "1912,57,12.3\n1913,76.6,19.5\n1914,52.3,45.7\n1915,19.5,51.1\n1916,11.2,29.7\n1917,7.6,15.8\n"
        "1918,14.6,9.7\n1919,16.2,10.1\n1920,24.7,8.6\n"
    )
    day = np.arange(0, 121)
    sir = solved(lambda _, x: [-0.0003 * x[0] * x[1], 0.0003 * x[0] * x[1] - 0.1 * x[1]], [990.0, 10.0], day)
    sir = noisy(sir, 0.01, 1)
    (EVERYDAY / "epidemic.csv").write_text(lines("day,S,I", day, said(sir[:, 0], 1), said(sir[:, 1], 1)))
    t = np.linspace(0, 900, 181)
    tea = noisy(solved(lambda _, x: [-0.004 * (x[0] - 21.0)], [86.0], t), 0.002, 2)
    (EVERYDAY / "tea.csv").write_text(lines("time_s,temp_C", said(t, 0), said(tea[:, 0], 2)))
    t = np.linspace(0, 60, 121)
    reaction = noisy(solved(lambda _, x: [-0.12 * x[0], 0.12 * x[0] - 0.05 * x[1]], [2.0, 0.0], t), 0.01, 3)
    text = lines("t_min,A_mM,B_mM", said(t, 1), said(reaction[:, 0]), said(reaction[:, 1]))
    (EVERYDAY / "reaction.csv").write_text(text)
    t = np.linspace(0, 24, 97)
    growth = noisy(solved(lambda _, x: [0.6 * x[0] * (1 - x[0] / 1.5)], [0.02], t), 0.01, 4)
    (EVERYDAY / "growth.csv").write_text(lines("t_h,OD600", said(t, 2), said(growth[:, 0])))
    t, x = np.linspace(0, 10, 201), None
    spring = noisy(solved(lambda _, x: [x[1], -4.0 * x[0] - 0.3 * x[1]], [0.1, 0.0], t), 0.01, 5)
    text = lines(
        "Zeit [s];Höhe [m];Geschwindigkeit [m/s]",
        said(t, 2),
        said(spring[:, 0], 5),
        said(spring[:, 1], 5),
        mark=";",
    )
    (EVERYDAY / "feder.csv").write_bytes(text.replace(".", ",").encode("cp1252"))
    t, x = prey_and_hunter()
    x = noisy(x, 0.01, 6)
    text = lines("time\tprey\thunter", said(t, 3), said(x[:, 0]), said(x[:, 1]), mark="\t")
    (EVERYDAY / "unicode.txt").write_bytes(text.encode("utf-16"))
    with pd.ExcelWriter(EVERYDAY / "lab.xlsx") as book:
        pd.DataFrame([["Measured in May, second floor"]]).to_excel(
            book, sheet_name="notes", index=False, header=False
        )
        rows = [["Spring with friction"], [], ["time", "position", "velocity"], ["s", "m", "m/s"]]
        rows += [
            [round(a, 3), round(b, 5), round(c, 5)]
            for a, (b, c) in zip(np.linspace(0, 10, 201), spring, strict=True)
        ]
        rows = [row + [None] * (3 - len(row)) for row in rows]
        pd.DataFrame(rows).to_excel(book, sheet_name="data", index=False, header=False)
    t = np.linspace(0, 40, 161)
    share = noisy(solved(lambda _, x: [0.3 * x[0] * (1 - x[0] / 80.0)], [2.0], t), 0.01, 7)[:, 0]
    (EVERYDAY / "percent.csv").write_text(
        lines("week,share", said(t, 2), [f"{value:.2f} %" for value in share])
    )
    t = np.linspace(0, 4, 161)
    fall = noisy(solved(lambda _, x: [x[1], -9.81 - 0.5 * x[1]], [60.0, 0.0], t), 0.003, 8)
    text = lines(
        "t,height,speed", said(t, 3), [f"{v:.3f} m" for v in fall[:, 0]], [f"{v:.3f} m/s" for v in fall[:, 1]]
    )
    (EVERYDAY / "fall.csv").write_text(text)
    years = np.arange(1900, 2021)
    people = solved(lambda _, x: [0.05 * x[0] * (1 - x[0] / 90000.0)], [3000.0], years.astype(float))
    people = noisy(people, 0.005, 9)[:, 0]
    (EVERYDAY / "town.csv").write_text(
        lines("Year,Population", years, [f'"{value:,.0f}"' for value in people])
    )
    t = np.linspace(0, 12, 201)
    pol = noisy(solved(lambda _, x: [x[1], 1.5 * (1 - x[0] ** 2) * x[1] - x[0]], [1.0, 0.0], t), 0.01, 10)
    text = lines("t,x,y", said(t, 3), said(pol[:, 0]), said(pol[:, 1])).replace("-", "\N{MINUS SIGN}")
    (EVERYDAY / "minus.csv").write_text(text, encoding="utf-8")
    stamps = pd.date_range("2024-03-01 09:00:00", periods=181, freq="5s")
    clock = lines(
        ",Date,Time,temp_C,battery_V,comment",
        range(1, 182),
        [f"{each:%Y-%m-%d}" for each in stamps],
        [f"{each:%H:%M:%S}" for each in stamps],
        said(tea[:, 0], 2),
        ["3.7"] * 181,
        [""] * 181,
    )
    (EVERYDAY / "logger.csv").write_text(clock)
    dates = pd.date_range("2021-01-01", periods=121)
    text = lines(
        "date,susceptible,infected",
        [f"{each:%Y-%m-%d}" for each in dates],
        said(sir[:, 0], 1),
        said(sir[:, 1], 1),
    )
    (EVERYDAY / "dates.csv").write_text(text)
    t, x = prey_and_hunter()
    table = np.column_stack([t, noisy(x, 0.01, 11)])
    np.savetxt(EVERYDAY / "savetxt.txt", table, fmt="%.5f")
    parts = [prey_and_hunter(80, 6.0, start) for start in ((2.0, 1.0), (1.0, 2.0), (3.0, 0.5))]
    t, x = np.concatenate([t for t, _ in parts]), noisy(np.concatenate([x for _, x in parts]), 0.01, 12)
    (EVERYDAY / "stacked.csv").write_text(lines("t,prey,hunter", said(t, 3), said(x[:, 0]), said(x[:, 1])))
    mice = np.repeat(["Mia", "Max", "Moe"], 80)
    (EVERYDAY / "mice.csv").write_text(
        lines("mouse,t_h,drug,metabolite", mice, said(t, 3), said(x[:, 0]), said(x[:, 1]))
    )
    t = np.linspace(0, 400, 401)
    on = ((t % 120) < 50).astype(int)
    heat = noisy(solved(lambda s, x: [0.5 * ((s % 120) < 50) - 0.02 * (x[0] - 20.0)], [20.0], t), 0.004, 13)
    (EVERYDAY / "heater.csv").write_text(lines("t,temperature,heater", said(t, 0), said(heat[:, 0], 3), on))
    t = np.arange(0, 10, 1 / 30)
    angle = noisy(solved(lambda _, x: [x[1], -9.81 * np.sin(x[0]) - 0.1 * x[1]], [1.2, 0.0], t), 0.01, 14)[
        :, 0
    ]
    (EVERYDAY / "video.csv").write_text(lines("time (s),angle (rad)", said(t, 4), said(angle)))
    t, x = prey_and_hunter()
    x = noisy(x, 0.01, 15)
    x[40, 0], x[111, 1], x[150, 0] = 9.5, -4.0, -7.25
    (EVERYDAY / "outliers.csv").write_text(lines("t,prey,hunter", said(t, 3), said(x[:, 0]), said(x[:, 1])))
    rng = np.random.default_rng(16)
    t, x = prey_and_hunter(300)
    keep = np.sort(rng.choice(300, 220, replace=False))
    x = noisy(x, 0.01, 17)
    cells = [said(x[:, 0]), said(x[:, 1])]
    for column, mark in ((0, "NA"), (1, "-")):
        for row in rng.choice(300, 30, replace=False):
            cells[column][row] = mark
    text = lines("t,prey,hunter", *([part[row] for row in keep] for part in (said(t, 3), *cells)))
    (EVERYDAY / "gaps.csv").write_text(text)
    spikes = (np.random.default_rng(18).random(200) < 0.06).astype(int)
    (EVERYDAY / "spikes.csv").write_text(lines("t_ms,spike", range(200), spikes))


def ambiguous():
    t, x = prey_and_hunter(40)
    a, b = said(x[:, 0]), said(x[:, 1])
    uneven = np.cumsum(0.1 + np.random.default_rng(0).random(40))
    (AMBIGUOUS / "two-times.csv").write_text(lines("time,elapsed,x,y", said(t), said(uneven), a, b))
    (AMBIGUOUS / "no-time.csv").write_text(lines("depth,x,y", said(uneven), a, b))
    dates = [f"{row:02}/{row + 1:02}/2024" for row in range(1, 12)]
    (AMBIGUOUS / "day-or-month.csv").write_text(lines("date,x,y", dates, a[:11], b[:11]))
    thousand = [f"{1 + row % 9},{100 + 7 * row:03}" for row in range(40)]
    (AMBIGUOUS / "comma.tsv").write_text(lines("t\tx", range(40), thousand, mark="\t"))
    with pd.ExcelWriter(AMBIGUOUS / "two-sheets.xlsx") as book:
        for name in ("May", "June"):
            pd.DataFrame({"t": t, "x": x[:, 0]}).to_excel(book, sheet_name=name, index=False)
    mixed = [f"{value} {'mm' if row % 7 == 3 else 'm'}" for row, value in enumerate(a)]
    (AMBIGUOUS / "two-units.csv").write_text(lines("t,x", said(t), mixed))
    (AMBIGUOUS / "two-even.csv").write_text(lines("clock,distance,x", said(t), said(3 * t + 1), a))
    text = lines(
        "run,trial,t,x",
        [row // 20 for row in range(40)],
        [row // 10 % 2 for row in range(40)],
        [row % 10 for row in range(40)],
        a,
    )
    (AMBIGUOUS / "two-labels.csv").write_text(text)
    order = np.random.default_rng(1).permutation(40)
    rows = [[part[row] for row in order] for part in (said(np.round(t / 2, 1)), a, b)]
    (AMBIGUOUS / "shuffled.csv").write_text(lines("t,x,y", *rows))
    (AMBIGUOUS / "temperature.csv").write_text(lines("T,p", a, b))


if __name__ == "__main__":
    everyday()
    ambiguous()
