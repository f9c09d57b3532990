// Tickets of different heights in columns without holes. A ticket stays in its column while others come and go, so that
// a cook finds it where it was. CSS columns would deal all tickets out anew at each change.
import { useEffect, useRef } from "react";

const ROW_PX = 4; // the height of a row of the grid: a ticket spans several rows
const GAP_PX = 12;
const SLACK_ROWS = 60; // how much higher than necessary the board may be before the tickets are dealt out anew

const rowsOf = (ticket) => Math.ceil((ticket.offsetHeight + GAP_PX) / ROW_PX);

// Returns the column of each ticket, in those that are `kept`, and the number of rows of the highest column.
function deal(tickets, count, kept) {
  const heights = Array(count).fill(0);
  const columns = tickets.map((ticket) => {
    const column = kept?.get(ticket) ?? heights.indexOf(Math.min(...heights));
    heights[column] += rowsOf(ticket);
    return column;
  });
  return { columns, rows: Math.max(...heights) };
}

// Sets the column and the rows of each ticket; returns the columns by ticket, and their `count`.
function arrange(grid, before) {
  const tickets = [...grid.children];
  tickets.forEach((ticket) => ticket.style.removeProperty("grid-column")); // the computed value counts implicit columns
  const count = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
  const anew = deal(tickets, count);
  const stable = count === before.count ? deal(tickets, count, before.columns) : anew;
  const { columns } = stable.rows <= anew.rows + SLACK_ROWS ? stable : anew;
  tickets.forEach((ticket, index) => {
    ticket.style.gridColumn = String(columns[index] + 1);
    ticket.style.gridRowEnd = `span ${rowsOf(ticket)}`;
  });
  return { count, columns: new Map(tickets.map((ticket, index) => [ticket, columns[index]])) };
}

export function TicketColumns({ children }) {
  const ref = useRef(null);
  useEffect(() => {
    const grid = ref.current;
    let arranged = { count: 0 };
    const rearrange = () => {
      arranged = arrange(grid, arranged);
    };
    const sizes = new ResizeObserver(rearrange);
    const observe = () => {
      sizes.disconnect();
      [...grid.children].forEach((each) => sizes.observe(each));
    };
    const tickets = new MutationObserver(observe);
    tickets.observe(grid, { childList: true });
    observe();
    // A resize of the window is handled before ResizeObserver reports it: an observer that changes the sizes of what it
    // observes causes an error.
    addEventListener("resize", rearrange);
    return () => {
      removeEventListener("resize", rearrange);
      sizes.disconnect();
      tickets.disconnect();
    };
  }, []);
  return (
    <div className="tickets" ref={ref}>
      {children}
    </div>
  );
}
