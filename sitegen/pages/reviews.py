"""The reviews page. No review can be recorded yet, and the page says so instead of leaving a gap."""

from dataclasses import dataclass

from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.pages.page import PageView

PARTS = ("who", "what", "reruns", "exceptions", "verdict")
"""What each review will state."""
RULES = ("model", "gates", "reproduction")
"""What no review does, whoever writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewsPage(PageView):
    """What would be here, and what a review never is."""

    parts: tuple[str, ...]
    rules: tuple[str, ...]


def reviews_page(edition: Edition) -> ReviewsPage:
    """The reviews page of a site without reviews."""
    return ReviewsPage(
        frame=edition.frame,
        path=place.REVIEWS,
        template="reviews.html",
        title=edition.say("nav.reviews"),
        description=edition.say("reviews.description"),
        section="reviews",
        trail=edition.trail("reviews")[:1],
        parts=tuple(edition.say(f"reviews.part-{name}") for name in PARTS),
        rules=tuple(edition.say(f"reviews.rule-{name}") for name in RULES),
    )
