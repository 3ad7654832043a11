// What the checkout page does in the browser: it counts down on the server's time, copies, and
// replaces what has changed. Without this script the page is complete, it only stands still.

"use strict";

(() => {
  const main = document.getElementById("checkout");
  if (main === null) return;

  const pollMilliseconds = 5000;
  const path = location.pathname;
  /** as the page was asked for: which currency and which chain */
  const wish = new URLSearchParams(location.search);

  let seenId = main.dataset["snapshot"] ?? "";
  let isOver = main.dataset["over"] === "true";

  // The clock of this device may be wrong; how fast it goes is good enough.
  let serverTime = Number(main.dataset["time"]);
  let heardAt = performance.now();
  const now = () => serverTime + (performance.now() - heardAt);

  /** @param {string} name */
  function addressOf(name) {
    const query = new URLSearchParams(wish);
    query.set("seen", seenId);
    return `${path}/${name}?${query.toString()}`;
  }

  /** @typedef {{ id: string, is_over: boolean, server_time: string, title: string, regions: Record<string, string> }} Snapshot */

  /** @param {string} text */
  function read(text) {
    // Our own server's, of the same version as this script.
    show(/** @type {Snapshot} */ (JSON.parse(text)));
  }

  /** @param {Snapshot} snapshot */
  function show(snapshot) {
    serverTime = Date.parse(snapshot.server_time);
    heardAt = performance.now();
    seenId = snapshot.id;
    isOver = snapshot.is_over;
    if (document.title !== snapshot.title) document.title = snapshot.title;
    for (const [name, markup] of Object.entries(snapshot.regions)) replace(name, markup);
    countDown();
    if (isOver) stop();
  }

  /** @type {Map<string, string>} */
  const drawn = new Map();

  /**
   * The markup is the server's own, with everything in it escaped there. Who stood on something keeps
   * standing on it; if it is gone, on the headline that says why.
   * @param {string} name
   * @param {string} markup
   */
  function replace(name, markup) {
    const region = document.querySelector(`[data-region="${name}"]`);
    // What is drawn anew is read aloud anew, and loses what somebody has marked in it.
    if (region === null || drawn.get(name) === markup) return;
    drawn.set(name, markup);
    const focused = region.contains(document.activeElement)
      ? document.activeElement?.id
      : undefined;
    const checked = region.querySelector("input:checked")?.id;
    const isExplained = region.querySelector("details")?.open === true;
    region.innerHTML = markup;
    const choice = checked === undefined ? null : document.getElementById(checked);
    if (choice instanceof HTMLInputElement) choice.checked = true;
    const details = region.querySelector("details");
    if (details !== null) details.open = isExplained;
    prepare(region);
    if (focused === undefined) return;
    const same = focused === "" ? null : document.getElementById(focused);
    (same ?? document.getElementById("headline"))?.focus();
  }

  /** @param {ParentNode} place */
  function prepare(place) {
    for (const button of place.querySelectorAll("button[data-copy]")) {
      button.removeAttribute("hidden");
    }
  }

  // Copying.

  document.addEventListener("click", (event) => {
    const { target } = event;
    const button = target instanceof Element ? target.closest("button[data-copy]") : null;
    if (button instanceof HTMLElement) void copy(button);
  });

  /** @param {HTMLElement} button */
  async function copy(button) {
    const source = document.getElementById(button.dataset["copy"] ?? "");
    if (source === null) return;
    const isCopied = await copyText(source);
    say(isCopied ? "Copied." : "It is marked now: copy it with your keyboard or menu.");
    if (!isCopied) return;
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  }

  /** @param {HTMLElement} source */
  async function copyText(source) {
    try {
      await navigator.clipboard.writeText(source.textContent);
      return true;
    } catch {
      // Not over http, and not in every browser.
      getSelection()?.selectAllChildren(source);
      return document.execCommand("copy");
    }
  }

  /** @param {string} text */
  function say(text) {
    const place = document.getElementById("copied");
    if (place === null) return;
    place.textContent = text;
    setTimeout(() => {
      if (place.textContent === text) place.textContent = "";
    }, 4000);
  }

  // The countdown.

  function countDown() {
    const time = document.querySelector("[data-expires]");
    if (!(time instanceof HTMLElement)) return;
    const left = Math.ceil((Number(time.dataset["expires"]) - now()) / 1000);
    const text = left > 0 ? durationOf(left) : "over";
    if (time.textContent !== text) time.textContent = text;
    // A little later than that, so that the server's clock says so as well.
    if (left < 0 && !isTimeTold) void ask();
    isTimeTold ||= left < 0;
  }

  let isTimeTold = false;

  /** @param {number} seconds */
  function durationOf(seconds) {
    const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((one) =>
      String(one).padStart(2, "0"),
    );
    const hours = Math.floor(seconds / 3600);
    const days = Math.floor(hours / 24);
    if (days > 0) return `${days} ${days === 1 ? "day" : "days"} ${hours % 24} h`;
    return hours > 0 ? `${hours}:${parts.join(":")}` : parts.join(":");
  }

  // Staying up to date: by a stream of events, and by asking while there is none.

  /** @type {EventSource | undefined} */
  let source;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let polling;

  function listen() {
    source = new EventSource(addressOf("events"));
    source.addEventListener("snapshot", (event) => {
      // The listener of a named event of a stream gets message events.
      read(/** @type {MessageEvent<string>} */ (event).data);
    });
    source.addEventListener("open", () => {
      clearInterval(polling);
      polling = undefined;
    });
    // It tries again by itself, unless it was refused.
    source.addEventListener("error", () => {
      if (!isOver) polling ??= setInterval(() => void ask(), pollMilliseconds);
    });
  }

  async function ask() {
    try {
      const answer = await fetch(addressOf("status"), { headers: { Accept: "application/json" } });
      if (answer.ok) read(await answer.text());
    } catch {
      // Offline, or the service is: the next time tells.
    }
    if (polling !== undefined && source?.readyState === EventSource.CLOSED) listenAgain();
  }

  let asked = 0;

  /** Refused streams are tried again from time to time: there may be room by then. */
  function listenAgain() {
    asked += 1;
    if (asked % 12 === 0) listen();
  }

  function stop() {
    source?.close();
    clearInterval(polling);
    polling = undefined;
  }

  document.addEventListener("visibilitychange", () => {
    // A device that slept has heard nothing meanwhile.
    if (document.visibilityState === "visible" && !isOver) void ask();
  });

  prepare(document);
  countDown();
  setInterval(countDown, 1000);
  if (!isOver) listen();
})();
