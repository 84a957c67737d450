"""Numbers -> drawings: where bars, steps and marks of a static chart stand. Pure; places are whole numbers.

Horizontal places are shares of the drawing's width in hundredths of a percent, so that a chart
stretches with the page while its text keeps its size. Vertical places are CSS pixels. Words and
links come from `pages`; how a drawing becomes SVG is the templates' part.
"""
