// Tables: which rows and columns they have, and which header stands over a cell.
//
// A layout table is no table. Columns count spans; row spans cost a pass over the whole table and
// are only looked at where a table has any.

import {
  attr,
  closest,
  eachChild,
  flatClosest,
  has,
  isBare,
  isElement,
  parentElementOf,
  queryAll,
  queryFirst,
} from "./dom.ts";
import { tagOf } from "./dom.ts";
import type { Look } from "./look.ts";
import { contentOf } from "./names.ts";
import { inputType, roleOf } from "./roles.ts";
import { collapse, cut, hasLetter } from "./words.ts";

const TEXT_MAX = 200;
// LIMIT: row spans beyond this many cells are not followed; columns then count within the row.
const GRID_MAX = 20_000;

export interface Table {
  e: Element;
  rows: Element[];
  /** How many of the leading rows only hold headers. */
  headers: number;
  columns: string[];
  columnCount: number;
  columnByCell: Map<Element, number> | null;
  /** Where each row stands in `rows`, and what names it once somebody asked. */
  indexByRow: Map<Element, number>;
  nameByRow: Map<Element, string | null>;
  columnsByRow: Map<Element, Map<Element, number>>;
}

const CELL = /^(cell|gridcell|columnheader|rowheader)$/;
export const isCellRole = (role: string | null): boolean => role !== null && CELL.test(role);
export const isTableRole = (role: string | null): boolean =>
  role === "table" || role === "grid" || role === "treegrid";

/** The table an element with a table's role is, or null when it only arranges things. */
export function tableOf(look: Look, e: Element): Table | null {
  const known = look.tables.get(e) as Table | null | undefined;
  if (known !== undefined) return known;
  const table = isLayout(e) ? null : read(look, e);
  look.tables.set(e, table);
  return table;
}

function read(look: Look, e: Element): Table {
  const rows = rowsOf(e);
  const table: Table = {
    e,
    rows,
    headers: 0,
    columns: [],
    columnCount: 0,
    columnByCell: null,
    indexByRow: new Map(rows.map((row, index) => [row, index])),
    nameByRow: new Map(),
    columnsByRow: new Map(),
  };
  while (table.headers < rows.length && table.headers < 6) {
    const row = rows[table.headers];
    if (!row || !isHeaderRow(look, row)) break;
    table.headers += 1;
  }
  if (table.headers === rows.length && rows.length === 1) table.headers = 0;
  readColumns(look, table);
  if (queryFirst(e, "[rowspan]")) table.columnByCell = placeCells(rows);
  return table;
}

function rowsOf(e: Element): Element[] {
  const rows: Element[] = [];
  if (tagOf(e) !== "table") {
    for (const row of queryAll(e, '[role="row" i],tr')) {
      if (closest(row, 'table,[role="table" i],[role="grid" i],[role="treegrid" i]') === e) rows.push(row);
    }
    return rows;
  }
  const groups: Element[] = [];
  eachChild(e, (child) => {
    if (!isElement(child)) return;
    const tag = tagOf(child);
    if (tag === "thead") groups.unshift(child);
    else if (tag === "tbody" || tag === "tfoot" || tag === "tr") groups.push(child);
  });
  for (const group of groups) {
    if (tagOf(group) === "tr") rows.push(group);
    else eachChild(group, (row) => void (isElement(row) && tagOf(row) === "tr" && rows.push(row)));
  }
  return rows;
}

export function cellsOf(row: Element): Element[] {
  if (tagOf(row) !== "tr") {
    return queryAll(row, '[role="cell" i],[role="gridcell" i],[role="columnheader" i],[role="rowheader" i]');
  }
  const cells: Element[] = [];
  eachChild(row, (child) => {
    if (!isElement(child)) return;
    const tag = tagOf(child);
    if (tag === "td" || tag === "th") cells.push(child);
  });
  return cells;
}

export function isHeaderRow(look: Look, row: Element): boolean {
  const cells = cellsOf(row);
  if (cells.length === 0) return false;
  const group = parentElementOf(row);
  if (group && tagOf(group) === "thead") return true;
  return cells.every((cell) => roleOf(look, cell) === "columnheader");
}

const span = (cell: Element, name: string): number => {
  if (isBare(cell)) return 1;
  const given = parseInt(attr(cell, name) ?? attr(cell, `aria-${name}`) ?? "1", 10);
  return given >= 1 && given <= 1000 ? given : 1;
};

/** The text of the lowest header over each column. */
function readColumns(look: Look, table: Table): void {
  const columns: string[] = [];
  const taken: boolean[][] = [];
  for (let r = 0; r < table.headers; r += 1) {
    let at = 0;
    const row = table.rows[r];
    for (const cell of row ? cellsOf(row) : []) {
      while (taken[r]?.[at]) at += 1;
      const text = cut(contentOf(look, cell), TEXT_MAX);
      for (let i = at; i < at + span(cell, "colspan"); i += 1) {
        if (text !== "" || columns[i] === undefined) columns[i] = text;
        for (let down = 1; down < span(cell, "rowspan"); down += 1) {
          (taken[r + down] ??= [])[i] = true;
        }
      }
      at += span(cell, "colspan");
    }
  }
  table.columns = Array.from(columns, (text) => text ?? "");
  const first = table.rows[table.headers];
  const inRow = first ? cellsOf(first).reduce((sum, cell) => sum + span(cell, "colspan"), 0) : 0;
  table.columnCount = Math.max(columns.length, inRow);
}

function placeCells(rows: Element[]): Map<Element, number> {
  const placed = new Map<Element, number>();
  const taken: boolean[][] = [];
  rows.forEach((row, r) => {
    let at = 0;
    for (const cell of placed.size < GRID_MAX ? cellsOf(row) : []) {
      while (taken[r]?.[at]) at += 1;
      placed.set(cell, at);
      const width = span(cell, "colspan");
      for (let down = 1; down < span(cell, "rowspan"); down += 1) {
        for (let i = at; i < at + width; i += 1) (taken[r + down] ??= [])[i] = true;
      }
      at += width;
    }
    delete taken[r];
  });
  return placed;
}

export function columnIndex(table: Table, row: Element, cell: Element): number {
  const given = parseInt(attr(cell, "aria-colindex") ?? "", 10);
  if (given >= 1) return given - 1;
  const placed = table.columnByCell?.get(cell);
  if (placed !== undefined) return placed;
  let columns = table.columnsByRow.get(row);
  if (!columns) {
    columns = new Map();
    let at = 0;
    for (const other of cellsOf(row)) {
      columns.set(other, at);
      at += span(other, "colspan");
    }
    columns.set(row, at);
    table.columnsByRow.set(row, columns);
  }
  return columns.get(cell) ?? columns.get(row) ?? 0;
}

/** What names a row: its header cell, else the first cell that holds letters outside its controls. */
function rowName(look: Look, table: Table, row: Element): string | null {
  let name = table.nameByRow.get(row);
  if (name === undefined) table.nameByRow.set(row, (name = readRowName(look, row)));
  return name;
}

function readRowName(look: Look, row: Element): string | null {
  const cells = cellsOf(row);
  const header = cells.find((cell) => roleOf(look, cell) === "rowheader");
  const named = header ? contentOf(look, header) : "";
  if (named !== "") return cut(named, TEXT_MAX);
  for (const cell of cells) {
    const text = wordsOf(look, cell);
    if (hasLetter(text)) return cut(text, TEXT_MAX);
  }
  return null;
}

/** The text of a cell without the captions of its buttons and fields. */
function wordsOf(look: Look, cell: Element): string {
  const controls = queryAll(cell, 'button,select,textarea,input,[role="button" i],summary');
  const text = contentOf(look, cell);
  if (controls.length === 0 || text === "") return text;
  let rest = text;
  for (const control of controls.slice(0, 20)) {
    const isField = tagOf(control) === "input" && !/^(button|submit|reset)$/.test(inputType(control));
    const caption = isField ? "" : contentOf(look, control);
    if (caption !== "") rest = rest.replace(caption, " ");
  }
  return collapse(rest);
}

export interface Place {
  row: string | null;
  column: string | null;
}

/** The row and column an element stands in, or null outside tables. */
export function placeOf(look: Look, e: Element): Place | null {
  const row = flatClosest(e, (at) => roleOf(look, at) === "row");
  if (!row) return null;
  const owner = flatClosest(row, (at) => isTableRole(roleOf(look, at)));
  const table = owner && tableOf(look, owner);
  if (!table) return null;
  const index = table.indexByRow.get(row) ?? -1;
  if (index >= 0 && index < table.headers) return { row: null, column: null };
  const cell = row === e ? null : flatClosest(e, (at) => at === row || isCellRole(roleOf(look, at)));
  const column = cell && cell !== row ? (table.columns[columnIndex(table, row, cell)] ?? "") : "";
  return { row: rowName(look, table, row), column: column === "" ? null : column };
}

/** Whether a native table only arranges things. */
function isLayout(e: Element): boolean {
  if (tagOf(e) !== "table" || has(e, "role")) return false;
  if (queryFirst(e, "th,caption,thead")) return false;
  if (queryFirst(e, "table")) return true;
  const rows = rowsOf(e);
  return rows.length < 2 || rows.slice(0, 10).every((row) => cellsOf(row).length < 2);
}
