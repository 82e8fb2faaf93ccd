"""How pages are toned: with their accent or in greys, with fills or sparing of ink."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tone:
    """What whoever prints wishes: `ink_saver` leaves out fills and patterns, `greyscale` every colour."""

    ink_saver: bool = False
    greyscale: bool = False

    def of(self, colour: str) -> str:
        """A colour, #rgb or #rrggbb, as it is printed; in greys one as light as it was (Rec. 709 luma)."""
        if not self.greyscale:
            return colour
        digits = colour.removeprefix("#")
        digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
        red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
        return "#" + f"{round(0.2126 * red + 0.7152 * green + 0.0722 * blue):02x}" * 3
