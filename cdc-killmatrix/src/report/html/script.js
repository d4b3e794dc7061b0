
"use strict";
// Builds the grids and the steps behind a cell from the data block. Text becomes text nodes, never markup.

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);

const OUTCOMES = {
  c: { mark: "✓", word: "caught" },
  n: { mark: "○", word: "missed, never asked" },
  s: { mark: "=", word: "missed, no difference" },
  m: { mark: "◐", word: "missed, differs inside" },
  e: { mark: "!", word: "error" },
  x: { mark: "·", word: "not applicable" },
};
const OPERATIONS = { u: "upsert", d: "delete", t: "truncate", "?": "error" };
// How many columns have room for titles that run from left to right, how many cells are made at once, how many events
// and equal rows are shown at once.
const FEW = 9, CELLS = 5000, EVENTS = 12, CONTEXT = 3;

/** An element: `h("p.note", {title: ".."}, "text", child)`. */
function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== ""));
  return element;
}

const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);
const lower = (text) => text.toLowerCase();

// ---- The grids ----

const filters = { search: "", family: "", outcome: "", only: false };
const suites = data.suites.map((suite, place) => ({ ...suite, place, gets: new Set(suite.survivors) }));
const haystack = data.mutants.map((mutant) =>
  lower([mutant.title, mutant.name, mutant.about, mutant.consequence ?? "", data.families[mutant.family]].join("\n")));

const isIdle = (suite, mutant) => /^x*$/.test(suite.outcomes[mutant]);

/** The mutants and fixtures of a suite that pass the filters. */
function visible(suite) {
  const words = lower(filters.search.trim());
  const fixtures = suite.fixtures.map((_, place) => place);
  const found = (place) => lower(`${suite.fixtures[place].title}\n${suite.fixtures[place].name}`).includes(words);
  let mutants = data.mutants.map((_, place) => place).filter((mutant) => {
    const letters = suite.outcomes[mutant];
    if (filters.outcome ? ![...filters.outcome].some((letter) => letters.includes(letter)) : isIdle(suite, mutant)) return false;
    if (filters.family !== "" && data.mutants[mutant].family !== Number(filters.family)) return false;
    return !filters.only || suite.gets.has(mutant);
  });
  if (!words) return { mutants, fixtures };
  // A search for a fault keeps all fixtures; one for a fixture keeps all faults.
  const faults = mutants.filter((mutant) => haystack[mutant].includes(words));
  return faults.length ? { mutants: faults, fixtures } : { mutants: fixtures.some(found) ? mutants : [], fixtures: fixtures.filter(found) };
}

function summary(suite) {
  const able = data.mutants.map((_, place) => place).filter((mutant) => !isIdle(suite, mutant));
  const caught = able.filter((mutant) => suite.outcomes[mutant].includes("c")).length;
  const all = caught === able.length ? "all are noticed" : `${caught} are noticed`;
  return `${counted(able.length, "fault")} can show here, ${all}, with ${counted(suite.fixtures.length, "fixture")}.`;
}

/** Where there are many cells, rows are filled when they come near the window. */
const filler = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) fill(entry.target);
}, { rootMargin: "1500px", scrollMargin: "600px" });

function fill(row) {
  if (row.firstChild) return;
  filler.unobserve(row);
  const { suite, mutant, fixtures } = row.of;
  const { title, about, equivalent } = data.mutants[mutant];
  const survives = suite.gets.has(mutant);
  const remark = survives ? h("b", { title: "no fixture of this suite catches it" }, "unseen") : equivalent ? h("b", { title: equivalent }, "equivalent") : undefined;
  row.append(h("div", { role: "rowheader", title: sentence(about) }, h("span", {}, title), remark));
  fixtures.forEach((fixture, column) => {
    const letter = suite.outcomes[mutant][fixture];
    const { mark, word } = OUTCOMES[letter];
    const dim = filters.outcome && !filters.outcome.includes(letter) ? ".dim" : "";
    const label = `${title}, ${suite.fixtures[fixture].title}: ${word}`;
    const cell = h(`div.cell.${letter}${dim}`, { role: "gridcell", tabindex: -1, "aria-label": label, "aria-colindex": column + 2, title: label }, mark);
    cell.fixture = fixture;
    row.append(cell);
  });
}

function grid(suite, { mutants, fixtures }) {
  const titles = fixtures.map((fixture, column) =>
    h("div", { role: "columnheader", "aria-colindex": column + 2, title: suite.fixtures[fixture].title }, suite.fixtures[fixture].title));
  const head = h("div.row.head", { role: "row", "aria-rowindex": 1 }, h("div.corner", { role: "columnheader" }, h("span.hidden", {}, "Fault")), titles);
  const element = h(`div.grid${fixtures.length <= FEW ? ".few" : ""}`, {
    role: "grid", "aria-label": suite.title, "aria-rowcount": mutants.length + 1, "aria-colcount": fixtures.length + 1, "aria-describedby": "keys",
  }, head);
  element.style.setProperty("--columns", fixtures.length);
  const rows = [];
  data.families.forEach((family, place) => {
    const members = mutants.filter((mutant) => data.mutants[mutant].family === place);
    if (!members.length) return;
    const group = h("div", { role: "rowgroup", "aria-label": family || "other faults" });
    if (data.families.length > 1) group.append(h("div.family", { role: "presentation" }, h("span", {}, family || "other faults")));
    for (const mutant of members) {
      const row = h(`div.row${suite.gets.has(mutant) ? ".survivor" : ""}`, { role: "row", "aria-rowindex": rows.length + 2 });
      row.of = { suite, mutant, fixtures };
      rows.push(row);
      group.append(row);
    }
    element.append(group);
  });
  const isSmall = mutants.length * fixtures.length < CELLS;
  rows.forEach((row) => (isSmall ? fill(row) : filler.observe(row)));
  if (rows.length) {
    fill(rows[0]);
    rows[0].querySelector(".cell")?.setAttribute("tabindex", 0);
  }
  element.addEventListener("keydown", (event) => move(event, element, rows));
  element.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (cell) open(cell.parentElement.of.suite, cell.fixture, cell.parentElement.of.mutant, cell);
  });
  return element;
}

/** Arrow keys, Home, End, Page Up and Page Down move; Enter and the space bar open. */
function move(event, element, rows) {
  const cell = event.target.closest(".cell");
  if (!cell || event.altKey || event.metaKey) return;
  const row = rows.indexOf(cell.parentElement), column = [...cell.parentElement.querySelectorAll(".cell")].indexOf(cell);
  const last = cell.parentElement.of.fixtures.length - 1, page = 10;
  const to = {
    ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
    PageUp: [row - page, column], PageDown: [row + page, column],
    Home: [event.ctrlKey ? 0 : row, 0], End: [event.ctrlKey ? rows.length - 1 : row, last],
  }[event.key];
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    cell.click();
  } else if (to) {
    event.preventDefault();
    const target = rows[Math.min(Math.max(to[0], 0), rows.length - 1)];
    fill(target);
    focusOn(element, target.querySelectorAll(".cell")[Math.min(Math.max(to[1], 0), last)]);
  }
}

function focusOn(element, cell) {
  element.querySelector('.cell[tabindex="0"]')?.setAttribute("tabindex", -1);
  cell.setAttribute("tabindex", 0);
  cell.focus({ preventScroll: true });
  // Sticky titles would hide it.
  const scroll = element.parentElement, head = element.querySelector(".head");
  const box = cell.getBoundingClientRect(), frame = scroll.getBoundingClientRect();
  const top = frame.top + head.offsetHeight + 8, left = frame.left + head.firstChild.offsetWidth + 8;
  if (box.top < top) scroll.scrollTop -= top - box.top;
  if (box.bottom > frame.bottom) scroll.scrollTop += box.bottom - frame.bottom + 12;
  if (box.left < left) scroll.scrollLeft -= left - box.left;
  if (box.right > frame.right) scroll.scrollLeft += box.right - frame.right + 12;
  cell.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
}

function draw() {
  filler.disconnect();
  let shown = 0;
  $("suites").replaceChildren(...suites.flatMap((suite) => {
    const part = visible(suite);
    if (!part.mutants.length || !part.fixtures.length) return [];
    shown += part.mutants.length;
    const idle = data.mutants.filter((_, mutant) => isIdle(suite, mutant)).map((mutant) => mutant.title);
    const section = h("section.suite", {}, h("h3", {}, suite.title), h("p.hint", {}, summary(suite)), h("div.scroll", {}, grid(suite, part)));
    if (idle.length && !filters.outcome) {
      section.append(h("details.idle", {}, h("summary", {}, `This flow leaves nothing to do wrong to ${counted(idle.length, "other fault")}`), h("p", {}, `${idle.join(", ")}.`)));
    }
    return [section];
  }));
  $("count").textContent = shown ? `${counted(shown, "row")}` : "nothing matches";
}

// ---- The steps behind a cell ----

/** A value; where it differs from one that may look like it, its hidden letters as well. */
function value(text, other) {
  if (text === null || text === undefined) return text === null ? h("span.null", {}, "null") : "";
  const plain = (it) => typeof it !== "string" || /^[\x20-\x7e]*$/.test(it);
  if (other === undefined || other === text || (plain(text) && plain(other))) return text;
  const spelled = [...text].map((c) => (plain(c) ? c : `\\u{${c.codePointAt(0).toString(16)}}`)).join("");
  return spelled === text ? text : `${text}  ${spelled}`;
}

function table(side, columns, lines) {
  const marked = lines.some((line) => line.mark);
  const body = lines.map((line) => {
    if (line.skipped) return line.skipped;
    const mark = marked ? h("td.mark", { title: line.word }, line.mark ?? "", line.word ? h("span.hidden", {}, line.word) : "") : "";
    if (line.gap) return h("tr.gap", {}, mark, h("td", { colspan: columns.length || 1 }, line.gap));
    const cells = columns.map((_, column) => {
      const text = line.row[column], other = line.other?.[column];
      const differs = line.other && text !== other;
      return h("td", {}, differs ? h("mark", {}, value(text, other)) : value(text));
    });
    return h(line.kind ? `tr.${line.kind}` : "tr", {}, mark, cells, line.end ?? "");
  });
  const names = columns.map((name) => h("th", { scope: "col" }, name));
  const end = lines.some((line) => line.end) ? h("th.op", { scope: "col" }, "asks for") : "";
  return h("div.wide", { tabindex: 0, role: "group", "aria-label": side.label },
    h(`table.values.${side.name}`, {}, h("thead", {}, h("tr", {}, marked ? h("td") : "", names, end)), h("tbody", {}, body)));
}

function figure(side, columns, lines, caption, empty) {
  return h("figure", {}, h("figcaption", {}, caption), lines.length ? table(side, columns, lines) : h("p.hint", {}, empty));
}

/** Where there are many, the first of them and a button. */
function events(fixture, checkpoint) {
  const columns = fixture.columns[checkpoint.source];
  const lines = checkpoint.events.map((row, place) => ({
    row: fixture.rows[row],
    end: checkpoint.operations ? h("td.op", {}, OPERATIONS[checkpoint.operations[place]]) : undefined,
  }));
  const side = { name: "events", label: "events" };
  const make = (some) => figure(side, columns, some, checkpoint.operations || !lines.length ? "Events" : "Rows of the snapshot", "No events.");
  const part = make(lines.slice(0, EVENTS));
  if (lines.length > EVENTS) {
    part.append(h("button.more", { type: "button" }, `Show ${lines.length - EVENTS} more`));
    part.lastChild.addEventListener("click", () => part.replaceWith(make(lines)));
  }
  return part;
}

function rowsOf(fixture, state) {
  return state.rows.map((row) => ({ row: fixture.rows[row] }));
}

const columnsOf = (fixture, state) => fixture.columns[state.columns ?? 0];

function remarks(state) {
  const remark = state.refusal ? `The batch is refused: ${state.refusal}` : state.passed_over ? "The batch is passed over: its flow runs once" : "";
  return remark ? [h("p.note", {}, sentence(remark))] : [];
}

/** Both tables, row beside row; far from a difference equal rows are left out until they are asked for. */
function sides(fixture, right, wrong) {
  const [reference, copy] = [{ name: "right", label: "right rows" }, { name: "copy", label: "rows of the broken copy" }];
  if (!wrong.pairs) {
    return h("div.sides", {},
      h("div", {}, figure(reference, columnsOf(fixture, right), rowsOf(fixture, right), "Right", "No rows."), remarks(right)),
      h("div", {}, figure(copy, columnsOf(fixture, wrong), rowsOf(fixture, wrong), "The broken copy", "No rows."), remarks(wrong)));
  }
  const left = [...right.rows], other = [...wrong.rows];
  const pairs = [...wrong.pairs].map((pair) => [pair === "r" ? undefined : left.shift(), pair === "l" ? undefined : other.shift()]);
  const isEqual = ([one, two]) => one === two;
  const near = pairs.map((_, place) => !pairs.slice(Math.max(place - CONTEXT, 0), place + CONTEXT + 1).every(isEqual));
  const element = h("div.sides");
  const make = (all) => {
    const lines = { right: [], copy: [] };
    let skipped = 0;
    const skip = () => {
      if (!skipped) return;
      for (const side of [lines.right, lines.copy]) side.push({ gap: `${counted(skipped, "equal row")} left out` });
      skipped = 0;
    };
    pairs.forEach(([one, two], place) => {
      if (!all && !near[place]) return void skipped++;
      skip();
      const [a, b] = [fixture.rows[one], fixture.rows[two]];
      if (one === two) {
        lines.right.push({ row: a });
        lines.copy.push({ row: b });
      } else if (a && b) {
        lines.right.push({ row: a, other: b, mark: "≠", word: "differs" });
        lines.copy.push({ row: b, other: a, mark: "≠", word: "differs" });
      } else if (a) {
        lines.right.push({ row: a, kind: "lost", mark: "−", word: "the broken copy lacks it" });
        lines.copy.push({ gap: "missing", mark: "−", word: "missing" });
      } else {
        lines.right.push({ gap: "no such row", mark: "+", word: "no such row" });
        lines.copy.push({ row: b, kind: "extra", mark: "+", word: "too much" });
      }
    });
    skip();
    const columns = columnsOf(fixture, right);
    element.replaceChildren(
      h("div", {}, figure(reference, columns, lines.right, "Right", "No rows."), remarks(right)),
      h("div", {}, figure(copy, columns, lines.copy, "The broken copy", "No rows."), remarks(wrong)));
  };
  make(false);
  if (near.every(Boolean)) return element;
  const button = h("button.more", { type: "button" }, "Show all rows");
  button.addEventListener("click", () => { make(true); button.remove(); });
  return h("div", {}, element, button);
}

function step(fixture, number, run, letter) {
  const checkpoint = fixture.checkpoints[number];
  const state = run?.states[number];
  const isCaught = run?.caught.includes(number + 1);
  let remark = "";
  if (isCaught) remark = "here the fixture notices";
  else if (state > 0 && checkpoint.uncompared) remark = "differs, but nothing is compared here";
  else if (state > 0) remark = "differs, but the fixture allows these rows, too";
  else if (state === null) remark = "the broken copy broke down";
  const item = h(`li.step${isCaught ? ".differs" : ""}`, {},
    h("h3", {}, `Checkpoint ${number + 1}`, h("small", {}, (checkpoint.how ?? []).join(", ")), remark ? h("em", {}, remark) : ""),
    checkpoint.note ? h("p.note", {}, checkpoint.note) : "",
    events(fixture, checkpoint));
  if (state > 0) {
    item.append(sides(fixture, checkpoint.right, checkpoint.wrong[state - 1]));
  } else {
    const both = state === 0 || ("sm".includes(letter) && !checkpoint.uncompared);
    const caption = both ? "Rows, the same in both" : "Right rows";
    item.append(figure({ name: "both", label: caption }, columnsOf(fixture, checkpoint.right), rowsOf(fixture, checkpoint.right), caption, `${caption}: none.`), ...remarks(checkpoint.right));
  }
  return item;
}

/** What came of it, in words. */
function verdict(fixture, mutant, letter, cell) {
  const { hook, decides } = data.mutants[mutant];
  const compared = fixture.checkpoints.filter((checkpoint) => !checkpoint.uncompared).length;
  const decision = decides ? `the decision that is broken, ${decides.replace(/\.$/, "")}` : "the decision that is broken";
  const [asked, differing, question] = Array.isArray(cell) ? cell : [];
  const text = {
    c: () => {
      const caught = fixture.runs[cell].caught;
      const places = `checkpoint${caught.length === 1 ? "" : "s"} ${listed(caught)}`;
      return `Caught at ${places}; ${compared === 1 ? "1 is" : `${compared} are`} compared.`;
    },
    n: () => `Missed: the fixture never comes to ${decision} (${hook}). It takes events on which that matters.`,
    s: () => `Missed: ${decision} (${hook}), was asked for ${times(asked)}, and the broken copy gave the right answer each time. It takes events on which the answers differ.`,
    m: () => `Missed: the broken copy gave ${counted(differing, "wrong answer")} of ${asked} (${hook}), and yet all rows that are compared are right. It takes a checkpoint, or a later event, that brings the difference out.`,
    e: () => sentence(`The broken copy broke down, which is no catch${typeof cell === "number" ? `: ${data.texts[cell]}` : ""}`),
    x: () => sentence(`Not applicable: ${data.texts[cell]}`),
  }[letter]();
  const parts = [h("p.verdict", {}, h(`span.cell.${letter}`, { "aria-hidden": true }, OUTCOMES[letter].mark), h("span", {}, text))];
  const asks = data.questions[question];
  if (asks) {
    const line = (kind, name, text) => h(`tr${kind}`, {}, h("th", { scope: "row" }, name), h("td", {}, text));
    parts.push(h("figure", {}, h("figcaption", {}, "The first answer that differs"), h("div.wide", {}, h("table.question", {},
      asks.inputs.map(([name, text]) => line("", name, text)), line(".answer", "right answer", asks.right), line(".answer", "its answer", asks.answer)))));
  }
  return parts;
}

const listed = (items) => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`);
const times = (count) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);

let opener;

function open(suite, place, mutant, cell) {
  const fixture = suite.fixtures[place], letter = suite.outcomes[mutant][place], of = fixture.cells[mutant];
  const { title, about, consequence, report, name } = data.mutants[mutant];
  const close = h("button", { type: "button" }, "Close");
  close.addEventListener("click", () => dialog.close());
  const facts = [["The fault", sentence(about)], ["What the business sees", consequence && sentence(consequence)],
    ["The fixture", fixture.about], ["Its file", h("code", {}, fixture.path)]];
  if (report?.startsWith("https://")) facts.push(["Reported at", h("a", { href: report, rel: "noreferrer" }, report)]);
  const run = letter === "c" ? fixture.runs[of] : undefined;
  const dialog = $("cell");
  dialog.replaceChildren(
    h("div.title", {}, h("h2", { id: "cell-title" }, title, h("small", {}, `${suite.title}: ${fixture.title}`)), close),
    h("div.body", {}, verdict(fixture, mutant, letter, of),
      h("dl", {}, facts.filter(([, fact]) => fact).map(([name, fact]) => [h("dt", {}, name), h("dd", {}, fact)])),
      h("ol.timeline", {}, fixture.checkpoints.map((_, number) => step(fixture, number, run, letter)))));
  opener = cell;
  dialog.showModal();
  dialog.scrollTop = 0;
  history.replaceState(null, "", `#${[suite.name, fixture.name, name].map(encodeURIComponent).join("/")}`);
}

$("cell").addEventListener("close", () => {
  history.replaceState(null, "", "#");
  if (opener?.isConnected) focusOn(opener.closest(".grid"), opener);
});
// A click beside the dialog closes it.
$("cell").addEventListener("click", (event) => { if (event.target === $("cell")) $("cell").close(); });

/** Opens the cell that the address names: `#suite/fixture/mutant`. */
function follow() {
  let names;
  try { names = decodeURIComponent(location.hash.slice(1)).split("/"); } catch { return; }
  const [mutantName, fixtureName] = [names.pop(), names.pop()];
  const suite = suites.find((suite) => suite.name === names.join("/"));
  const mutant = data.mutants.findIndex((mutant) => mutant.name === mutantName);
  const place = suite?.fixtures.findIndex((fixture) => fixture.name === fixtureName) ?? -1;
  if (mutant >= 0 && place >= 0) open(suite, place, mutant, undefined);
}

// ---- The page ----

document.documentElement.classList.add("js");
data.families.forEach((family, place) => $("family").append(h("option", { value: place }, family || "other faults")));
$("family").parentElement.hidden = data.families.length < 2;
$("filters").addEventListener("submit", (event) => event.preventDefault());
$("filters").addEventListener("input", () => {
  Object.assign(filters, { search: $("search").value, family: $("family").value, outcome: $("outcome").value, only: $("only").checked });
  draw();
});
window.addEventListener("hashchange", follow);
window.addEventListener("beforeprint", () => document.querySelectorAll(".row").forEach((row) => row.of && fill(row)));
draw();
follow();
