"""What is known of somebody's printer: how far its backs stray from their fronts, and what it leaves white."""

from __future__ import annotations

from dataclasses import dataclass

Shift = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Printer:
    """A printer by the name its owner gave it; lengths in mm.

    `shift` is what brings backs behind their fronts: to the right and up, as one looks at the back of a sheet that
    stands upright and was turned over its long edge. `margin` is what the printer cannot print on; None if not known.
    """

    name: str
    shift: Shift = (0.0, 0.0)
    margin: float | None = None

    def moves(self, flip: str) -> Shift:
        """The shift of backs for sheets that are turned over that edge, upright sheets seen upright.

        Over the other edge the printer turns the backs on their head, and what it does wrong comes out the other way.
        """
        across, up = self.shift
        return (across, up) if flip == "long" else (0.0 - across, 0.0 - up)
