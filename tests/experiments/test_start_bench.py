from mathonet.experiments.bench import start


def test_times_of_reading_and_imports_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(start, "IMPORTS", {"nothing": "pass"})
    said = []
    page = start.run(tmp_path, range(2), said.append, rows=400, wide=40).read_text()
    assert "| 400 x 4 | 2 |" in page
    assert "| 10 x 40 | 2 |" in page
    assert "| nothing |" in page
    assert len(said) == 5
