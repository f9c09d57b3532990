// Prints tickets of a kitchen board on the paper of a receipt printer.
import { useEffect } from "react";
import { flushSync } from "react-dom";
import { choosePrinted, useKitchenBoard } from "./kitchen_board.js";

const PX_PER_MM = 96 / 25.4;
const PAPER_MM = 80;
const PAPER_FONTS = ["500 1rem --text", "700 1rem --text", "700 1rem --mono", "700 1rem --display"];

// Loads the fonts of a text on paper. Chromium prints the first page only if a font arrives while it prints.
function loadPaperFonts(text) {
  const styles = getComputedStyle(document.documentElement);
  for (const font of PAPER_FONTS) {
    const named = font.replace(/--\w+/, (name) => styles.getPropertyValue(name));
    document.fonts.load(named, text).catch(() => {}); // without a connection: another font is printed
  }
}

// Sets the page's size to the paper of a receipt printer while tickets are printed. No style sheet can: the
// height depends on the order.
export function PaperSize() {
  const { tickets } = useKitchenBoard();
  useEffect(() => {
    if (tickets.length) loadPaperFonts(JSON.stringify(tickets));
  }, [tickets]);
  useEffect(() => {
    let sheet;
    const begin = () => {
      const heights = [...document.querySelectorAll(".paper-ticket")].map((each) => each.offsetHeight);
      if (!heights.length) return;
      // The last one: a rule of a sheet after it would set the margins of the other screens' paper.
      sheet = document.styleSheets[document.styleSheets.length - 1];
      const height = Math.ceil(Math.max(...heights) / PX_PER_MM) + 1;
      sheet.insertRule(`@page { size: ${PAPER_MM}mm ${height}mm; margin: 0; }`, sheet.cssRules.length);
    };
    const end = () => {
      sheet?.deleteRule(sheet.cssRules.length - 1);
      sheet = undefined;
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
