// Prints tickets of a kitchen board on the paper of a receipt printer.
import { useEffect } from "react";
import { flushSync } from "react-dom";
import { choosePrinted } from "./kitchen_board.js";

const PX_PER_MM = 96 / 25.4;
const PAPER_MM = 80;

// Sets the page's size to the paper of a receipt printer while tickets are printed. No style sheet can: the
// height depends on the order.
export function PaperSize() {
  useEffect(() => {
    let sheet;
    const begin = () => {
      const heights = [...document.querySelectorAll(".paper-ticket")].map((each) => each.offsetHeight);
      if (!heights.length) return;
      sheet = document.styleSheets[0];
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
