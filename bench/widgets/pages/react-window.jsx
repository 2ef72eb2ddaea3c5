// react-window: ten thousand rows, of which only those in view are in the document.

import { useState } from "react";
import { List } from "react-window";

import { show } from "./form.jsx";
import { save } from "./saving.mjs";

const COUNT = 10_000;
const HEIGHT_PX = 32;

function Row({ index, style, marked, mark }) {
  return (
    <div style={style}>
      Order {index + 1}{" "}
      <button type="button" onClick={() => mark(index + 1)}>
        Mark order {index + 1}
      </button>
      {marked.includes(index + 1) ? " marked" : ""}
    </div>
  );
}

function Orders() {
  const [marked, setMarked] = useState([]);
  const mark = (order) => {
    const all = [...marked, order];
    setMarked(all);
    save({ marked: all });
  };
  return (
    <List
      aria-label="Orders"
      style={{ height: 400, width: 400 }}
      rowComponent={Row}
      rowCount={COUNT}
      rowHeight={HEIGHT_PX}
      rowProps={{ marked, mark }}
    />
  );
}

show(<Orders />);
