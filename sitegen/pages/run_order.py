"""The runs of a study in order of time, and which run is before which."""

from sitegen.sources import RunSource, Site, StudySource


def in_time(source: StudySource) -> list[RunSource]:
    """The runs of a study, the earliest first."""
    return sorted(source.runs, key=lambda run: (run.sealed.run.started_at, run.id))


def before(site: Site, run: RunSource) -> RunSource | None:
    """The run of the same study that is next before this one; None for the first."""
    source = site.study(run.sealed.run.study)
    runs = in_time(source) if source else []
    place = next((number for number, found in enumerate(runs) if found is run), 0)
    return runs[place - 1] if place else None
