// Search within the book: rules that do not hold the words are hidden, and the count is told.
const box = document.querySelector(".search input");
const told = document.querySelector(".search output");
const parts = [...document.querySelectorAll(".rule, .back table, .words dt, .index li")].map(
  (part) => [part, (part.textContent + (part.tagName === "DT" ? part.nextElementSibling.textContent : "")).toLowerCase()],
);
document.querySelector(".search").hidden = false;
box.addEventListener("input", () => {
  const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const [part, text] of parts) {
    const shown = wanted.every((word) => text.includes(word));
    part.classList.toggle("hidden", !shown);
    if (part.tagName === "DT") part.nextElementSibling.classList.toggle("hidden", !shown);
    if (shown && part.classList.contains("rule")) count += 1;
  }
  for (const chapter of document.querySelectorAll(".chapter")) {
    chapter.classList.toggle("hidden", wanted.length > 0 && !chapter.querySelector(".rule:not(.hidden)"));
  }
  told.textContent = wanted.length ? `${count} rule${count === 1 ? "" : "s"} with these words` : "";
});
