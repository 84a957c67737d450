"""Search from disk: pages of one language -> the index that its search page loads."""

from sitegen.search.index import index as search_index

__all__ = ["search_index"]
