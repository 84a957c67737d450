"""The study kind `comparison`: one agent an attempt, at frozen tasks, in lanes, with twelve metrics."""
