// Uses the pages in a folder as a reader would, by keyboard, and says what doesn't hold. Run by run.sh.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium as playwright } from "playwright-core";

const folder = resolve(process.argv[2]);
const pictures = join(folder, "screenshots");
mkdirSync(pictures, { recursive: true });

/** The Chromium on the path, or else that of the package. */
async function chromium() {
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch { /* The next one. */ }
  }
  const { default: packed } = await import("@sparticuz/chromium");
  return packed.executablePath();
}

const executablePath = await chromium();
const launch = () => playwright.launch({
  executablePath, headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});

/** Opens a page in a browser of its own, does something with it, and wants no message on its console and no request but the page itself. */
async function on(name, options, act) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    const heard = [];
    page.on("console", (message) => heard.push(message.text()));
    page.on("pageerror", (error) => heard.push(String(error)));
    page.on("request", (request) => { if (!request.url().startsWith("file:")) heard.push(`request: ${request.url()}`); });
    page.on("dialog", (dialog) => { heard.push("a dialog"); dialog.dismiss(); });
    await page.goto(pathToFileURL(join(folder, name)).href);
    await act(page);
    assert.deepEqual(heard, [], `${name} is silent`);
  } finally {
    await browser.close();
  }
}

const facts = [];
const fact = (name, act) => facts.push([name, act]);
const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
/** Pictures are for people: one that can't be taken is told, and is no failure. */
const picture = (page, name, options) => page.screenshot({ path: join(pictures, `${name}.png`), ...options })
  .catch((error) => console.log(`  no picture ${name}: ${error.message.split("\n")[0]}`));
const texts = (locator) => locator.allInnerTexts();

fact("a cell is reached and opened by keyboard, and shows the rows side by side", () => on("shipped.html", {}, async (page) => {
  const grid = page.getByRole("grid", { name: "Customers, current state" });
  await grid.scrollIntoViewIfNeeded();
  assert.equal(await grid.locator('.cell[tabindex="0"]').count(), 1, "one stop of the tab key");
  await grid.locator('.cell[tabindex="0"]').focus();
  const first = await focused(page);
  for (let steps = 0; steps < 100 && !(await focused(page)).startsWith("arrival order, "); steps++) await page.keyboard.press("ArrowDown");
  for (let steps = 0; steps < 100 && !(await focused(page)).includes(", Ordering and delete: "); steps++) await page.keyboard.press("ArrowRight");
  assert.equal(await focused(page), "arrival order, Ordering and delete: caught");
  await picture(page, "grid");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /^arrival order/ });
  const third = dialog.locator(".step").nth(2);
  assert.equal(await third.locator("h3 em").innerText(), "here the fixture notices");
  assert.deepEqual(await texts(third.locator(".right tbody tr").first().locator("td:not(.mark)")), ["101", "Nantes", "ana@example.com"]);
  assert.deepEqual(await texts(third.locator(".copy tbody tr").first().locator("td:not(.mark)")), ["101", "Lille", "ana@example.com"]);
  assert.deepEqual(await texts(third.locator("mark")), ["Nantes", "Lille"], "the values that differ are marked");
  await third.scrollIntoViewIfNeeded();
  await picture(page, "timeline");
  assert.equal(new URL(page.url()).hash, "#customers_current/ordering_and_delete/arrival_order");
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.equal(await focused(page), "arrival order, Ordering and delete: caught", "the focus is back");
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  const last = await grid.getByRole("columnheader").last().innerText();
  assert.ok((await focused(page)).includes(`, ${last}: `), "the last cell is the end");
  await page.keyboard.press("Control+Home");
  assert.equal(await focused(page), first);
  assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "solid", "the focus is seen");
}));

fact("a missed cell says why, with the first answer that differs", () => on("shipped.html", {}, async (page) => {
  await page.evaluate(() => { location.hash = "#customers_current/explicit_null/arrival_order"; });
  const dialog = page.getByRole("dialog");
  assert.match(await dialog.locator(".verdict").innerText(), /Missed: the broken copy gave 2 wrong answers of 2/);
  assert.deepEqual(await texts(dialog.locator(".question tr.answer td")), ["(10, 0)", "(0, 0)"]);
}));

fact("filters and search leave what matches", () => on("shipped.html", {}, async (page) => {
  const headers = () => texts(page.getByRole("rowheader"));
  await page.getByLabel("Search").fill("kept nulls");
  assert.deepEqual(new Set(await headers()), new Set(["kept nulls"]));
  await page.getByLabel("Search").fill("ordering and delete");
  assert.deepEqual(await texts(page.getByRole("columnheader")), ["Fault", "Ordering and delete"]);
  await page.getByLabel("Search").fill("no such thing");
  assert.equal(await page.locator("#count").innerText(), "nothing matches");
  await page.getByLabel("Search").fill("");
  await page.getByLabel("Outcome").selectOption("error");
  assert.ok((await page.locator(".cell.e:not(.legend *)").count()) > 0);
  await page.getByLabel("Outcome").selectOption("all");
  await page.getByLabel("only what gets through").check();
  const survivors = await page.locator(".survivors > li").count();
  assert.equal(await page.getByRole("rowheader").count(), survivors);
}));

fact("dark mode is dark", () => on("shipped.html", { colorScheme: "dark" }, async (page) => {
  const [red, green, blue] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  assert.ok(red + green + blue < 120);
  await page.locator(".suite").nth(1).scrollIntoViewIfNeeded();
  await picture(page, "dark");
}));

fact("at 400 pixels nothing but tables scrolls sideways", () => on("shipped.html", { viewport: { width: 400, height: 800 } }, async (page) => {
  assert.ok((await overflow(page)) <= 0);
  await picture(page, "narrow");
  await page.locator(".suite").nth(1).scrollIntoViewIfNeeded();
  await picture(page, "narrow-grid");
  await page.evaluate(() => { location.hash = "#customers_current/ordering_and_delete/arrival_order"; });
  const dialog = page.getByRole("dialog");
  assert.ok((await dialog.evaluate((it) => it.scrollWidth - it.clientWidth)) <= 0);
  await dialog.locator(".step").nth(2).scrollIntoViewIfNeeded();
  await picture(page, "narrow-timeline");
}));

fact("hostile text runs no script and makes no element", () => on("hostile.html", {}, async (page) => {
  await page.evaluate(() => { location.hash = "#hostile/markup/arrival_order"; });
  await page.getByRole("dialog").waitFor();
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.equal(await page.locator("img, svg, iframe, body b[onclick]").count(), 0);
  assert.equal(await page.locator("script").count(), 2);
  const shown = await page.getByRole("dialog").innerText();
  assert.ok(shown.includes("</script><script>window.ran='value'</script>"), "it is shown as text");
}));

fact("the policy holds: what is put into the page later runs neither", () => on("shipped.html", {}, async (page) => {
  // Playwright's own evaluation isn't bound by the policy; the script element that it adds is.
  const ran = await page.evaluate(() => new Promise((done) => {
    document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), { once: true });
    const script = document.createElement("script");
    script.textContent = "window.ran = true";
    document.body.append(script);
    setTimeout(() => done(window.ran), 500);
  }));
  assert.match(String(ran), /^script-src/);
}).catch((error) => { if (!/is silent/.test(error.message)) throw error; }));

fact("a redacted page shows placeholders", () => on("redacted.html", {}, async (page) => {
  await page.evaluate(() => { location.hash = "#customers_current/ordering_and_delete/arrival_order"; });
  assert.match(await page.getByRole("dialog").locator(".step mark").first().innerText(), /^city-\d+$/);
  await picture(page, "redacted");
}));

fact("40,000 cells open in two seconds, and keys go on working", () => on("large.html", {}, async (page) => {
  const loaded = await page.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd);
  console.log(`  the large page is there after ${Math.round(loaded)} ms`);
  assert.ok(loaded < 2000, `${loaded} ms`);
  const grid = page.getByRole("grid");
  assert.equal(await grid.getAttribute("aria-colcount"), "201");
  await grid.locator('.cell[tabindex="0"]').focus();
  await picture(page, "large");
  for (const key of ["Control+End", "PageUp", "ArrowLeft", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  const title = await grid.getByRole("columnheader").nth(-2).innerText();
  assert.ok((await focused(page)).includes(`, ${title}: `), "the last fixture but one");
  const inView = await page.evaluate(() => {
    const [cell, frame] = [document.activeElement, document.activeElement.closest(".scroll")].map((it) => it.getBoundingClientRect());
    return cell.left >= frame.left && cell.right <= frame.right && cell.top >= frame.top && cell.bottom <= frame.bottom;
  });
  assert.ok(inView, "the focused cell is in view");
  await picture(page, "large-end");
}));

fact("without a script the sentences and plain tables are there", () => on("shipped.html", { javaScriptEnabled: false }, async (page) => {
  assert.equal(await page.locator(".lead p").count(), 3);
  assert.ok((await page.locator("noscript table").count()) === 3);
  assert.equal(await page.getByLabel("Search").isVisible(), false);
  await picture(page, "no-script");
}));

fact("on paper the rows are all there and the filters are not", () => on("shipped.html", {}, async (page) => {
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const empty = await page.locator('[role="row"]:not(.head)').evaluateAll((rows) => rows.filter((row) => !row.firstChild).length);
  assert.equal(empty, 0);
  assert.equal(await page.locator("#filters").isVisible(), false);
  await picture(page, "print", { fullPage: true });
}));

let failures = 0;
for (const [name, act] of facts) {
  try {
    await act();
    console.log(`ok    ${name}`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
}
process.exitCode = failures ? 1 : 0;
