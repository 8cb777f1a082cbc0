"use strict";
// Everything on the page can be read without this script; it adds filters and comparisons.
const all = (selector, parent = document) => [...parent.querySelectorAll(selector)];

// Text as it is searched: "sigma_H" and "2^30" are found where σ has a subscript and 2 an exponent.
const simple = (text) => text.toLowerCase().replace(/[_^]/g, "").replace(/’/g, "'")
  .replace(/sigma/g, "σ").replace(/lambda/g, "λ").replace(/zeta/g, "ζ").replace(/eta/g, "η");

function setUpFilters(form) {
  const list = document.querySelector(".claims");
  const children = [...list.children]; // headings of parts and cards, in the paper's order
  const cards = children.filter((one) => one.matches(".claim"));
  const texts = new Map(cards.map((card) => [card, simple(card.textContent)]));
  const verdicts = ["not-reproduced", "undecided", "not-measured", "reproduced"];
  const rank = (card) => verdicts.findIndex((one) => card.classList.contains(one));
  const orders = {
    verdict: (a, b) => rank(a) - rank(b),
    closeness: (a, b) => Number(a.dataset.closeness) - Number(b.dataset.closeness),
  };

  function update() {
    const { verdict, search, order } = form.elements;
    const words = simple(search.value).split(/\s+/).filter(Boolean);
    for (const card of cards) {
      const text = texts.get(card);
      const isChosen = !verdict.value || card.classList.contains(verdict.value);
      card.hidden = !(isChosen && words.every((word) => text.includes(word)));
    }
    const sorted = orders[order.value] ? [...cards].sort(orders[order.value]) : children;
    list.append(...sorted);
    for (const heading of all(".part", list)) {
      const next = children.slice(children.indexOf(heading) + 1);
      const end = next.findIndex((one) => one.matches(".part"));
      const own = end < 0 ? next : next.slice(0, end);
      heading.hidden = Boolean(orders[order.value]) || own.every((card) => card.hidden);
    }
    const shown = cards.filter((card) => !card.hidden).length;
    form.querySelector("output").textContent = `${shown} of ${cards.length} claims shown`;
  }

  function showLinked() {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.hidden) {
      form.reset();
      update();
      target.scrollIntoView();
    }
  }

  form.addEventListener("input", update);
  form.addEventListener("reset", () => setTimeout(update));
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", showLinked);
  form.hidden = false;
  update();
  showLinked();
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.matches("[type=search]")) {
      event.preventDefault();
      form.elements.search.focus();
    }
  });
}

function setUpComparison(figure) {
  const slider = figure.querySelector("input[type=range]");
  const after = figure.querySelector(".after");
  const first = after.src;
  const move = () => figure.style.setProperty("--share", `${slider.value}%`);
  slider.addEventListener("input", move);
  const choose = () => {
    after.src = figure.querySelector("input[type=radio]:checked").dataset.image || first;
  };
  figure.addEventListener("change", choose);
  // The browser may have kept the choices of an earlier visit.
  choose();
  move();
}

function setUpEnlarging(dialog) {
  for (const button of all(".enlarge")) {
    button.addEventListener("click", () => {
      dialog.querySelector("img").src = button.querySelector("img").src;
      dialog.querySelector("p").innerHTML = button.nextElementSibling.innerHTML;
      dialog.showModal();
    });
  }
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}

for (const form of all(".filters")) setUpFilters(form);
for (const figure of all(".comparison")) setUpComparison(figure);
for (const dialog of all("dialog.enlarged")) setUpEnlarging(dialog);
for (const link of all("a.from-image")) {
  link.href = link.closest("figure").querySelector("img").src;
  link.hidden = false;
}
