// Prints tickets of a kitchen board on the paper of a receipt printer.
import { useEffect } from "react";
import { flushSync } from "react-dom";
import { choosePrinted, useKitchenBoard } from "./kitchen_board.js";

const PX_PER_MM = 96 / 25.4;
const PAPER_MM = 80;
const PAPER_FONTS = ["500 1rem --text", "700 1rem --text", "700 1rem --mono", "700 1rem --display"];

// Loads the fonts of a text on paper in advance. If a font arrives while Chromium prints, it prints only the first page.
function loadPaperFonts(text) {
  const styles = getComputedStyle(document.documentElement);
  for (const font of PAPER_FONTS) {
    const named = font.replace(/--\w+/, (name) => styles.getPropertyValue(name));
    document.fonts.load(named, text).catch(() => {}); // without a connection: another font is printed
  }
}

const heightOf = (ticket) => Math.ceil(ticket.offsetHeight / PX_PER_MM) + 1;

const pageRule = (name, height) => `@page ${name} { size: ${PAPER_MM}mm ${height}mm; margin: 0; }`;

// Returns a page for each ticket, as high as it; browsers without named pages take the first rule, the highest.
function pageRules(tickets) {
  const highest = Math.max(...tickets.map(heightOf));
  tickets.forEach((ticket, index) => ticket.style.setProperty("page", `ticket-${index}`));
  return [pageRule("", highest), ...tickets.map((ticket, index) => pageRule(`ticket-${index}`, heightOf(ticket)))];
}

// Adds rules for pages at the end of the last style sheet: a rule for pages in a later sheet, which is for the paper of
// other screens, would set its margins. Returns a function that removes the rules.
function addRules(rules) {
  const sheet = document.styleSheets[document.styleSheets.length - 1];
  const first = sheet.cssRules.length;
  rules.forEach((rule, index) => sheet.insertRule(rule, first + index));
  return () => rules.forEach(() => sheet.deleteRule(first));
}

// Sets the sizes of the pages to the paper of a receipt printer while tickets are printed. No style sheet can: the
// heights depend on the orders.
export function PaperSize() {
  const { name, tickets } = useKitchenBoard();
  useEffect(() => {
    if (tickets.length) loadPaperFonts(JSON.stringify([name, tickets]));
  }, [name, tickets]);
  useEffect(() => {
    let remove = () => {};
    const begin = () => {
      const printed = [...document.querySelectorAll(".paper-ticket")];
      remove(); // a browser may begin twice
      remove = printed.length ? addRules(pageRules(printed)) : () => {};
    };
    const end = () => {
      remove();
      remove = () => {};
      choosePrinted(null);
    };
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return null;
}

export function printTicket(ticket) {
  flushSync(() => choosePrinted(ticket));
  window.print();
}
