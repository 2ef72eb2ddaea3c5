// Booking pages of airlines, each in a frame of its task's page.

import { Stuck, Unclear } from "../episode.mjs";
import { clickable } from "./reading.mjs";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September",
  "October", "November", "December"];

/** Returns what is to be booked, label to value, from the table of the instruction. */
async function wanted(page) {
  const seen = await page.look({ within: "#query-pretty" });
  const rows = seen.filter((node) => node.role === "row");
  return Object.fromEntries(
    rows.map((row) => seen.filter((node) => node.line === row.line).slice(1).map((node) => node.name)),
  );
}

const letters = (text) => text.replace(/[^A-Za-z]/g, "");

/** Types a city and takes the airport that is offered for it; cities with several are unclear. */
async function city(page, label, name) {
  const field = page.the(await page.look(), "textbox", label);
  const typed = name.replace(/ DC$/, "");
  await page.type(field, typed);
  await page.shows(`${typed},`);
  const seen = await page.look();
  const isAirport = (node) => /\(.+\)$/.test(node.name) && letters(node.name).startsWith(letters(name));
  const offered = [...new Set(seen.filter(isAirport).map((node) => node.name))];
  const airport = offered.find((each) => each.includes("(All Airports)")) ?? offered[0];
  if (airport === undefined) throw new Stuck(`no airport of ${name} in\n${page.outline}`);
  if (offered.length > 1 && !airport.includes("(All Airports)")) throw new Unclear(`${offered.length} airports of ${name}`);
  for (const match of await page.find({ text: airport })) {
    if ((await page.textOf(match.ref)) === airport) return page.click(match.ref);
  }
  return page.click(clickable(seen, airport));
}

/** Opens a calendar, turns it to the month, and takes the day. */
async function day(page, label, number, month) {
  await page.click(page.the(await page.look(), "textbox", label));
  await page.still();
  for (let left = 12; left > 0; left--) {
    const seen = await page.look();
    const titled = (name) => seen.findIndex((node) => new RegExp(`^(?:${name}) \\d{4}$`).test(node.name));
    const [first, asked] = [titled(MONTHS.join("|")), titled(MONTHS[month - 1])];
    if (first === -1) throw new Stuck(`no calendar in\n${page.outline}`);
    if (asked !== -1) {
      await page.click(seen.slice(asked).find((node) => node.name === String(number) && node.ref !== null));
      await page.still();
      const done = (await page.look()).find((node) => node.name === "Done" && node.ref !== null);
      if (done !== undefined) await page.click(done);
      return page.still();
    }
    await page.click(seen.slice(first).find((node) => node.role === "link" && !/^\d+$/.test(node.name)));
    await page.still();
  }
  throw new Stuck(`the calendar does not come to ${month}`);
}

async function alaska(page) {
  const trip = await wanted(page);
  const month = (key) => Number(trip[key] ?? 3);
  const isOneWay = /one.way/i.test(trip["Ticket Type"] ?? trip["One Way or Round Trip"]);
  if (isOneWay) await page.check({ role: "checkbox", name: "One-way" });
  await city(page, "From", trip["Departure City"]);
  await city(page, "To", trip["Destination City"]);
  await day(page, "Depart", trip["Departure Day"], month("Departure Month"));
  if (!isOneWay) await day(page, "Return", trip["Returning Day"], month("Returning Month"));
  for (let left = Number(trip.Passengers ?? 1) - 1; left > 0; left--) {
    await page.click((await page.look()).find((node) => node.name === "+" && node.ref !== null));
  }
  if (trip["Seat type"] !== undefined) {
    const [more] = await page.find({ text: "More search options" });
    await page.click(more.ref);
    await page.still();
    await page.check({ role: "radio", name: trip["Seat type"] });
  }
  await page.button("Find Flights");
}

/** Takes the airport that bears the name of the city alone; without one the city is unclear. */
async function cityByCode(page, label, name) {
  await page.fill(page.the(await page.look(), "textbox", label), name);
  await page.shows(` - ${name}`);
  const offered = (await page.look()).filter((node) => /^[A-Z]{3} - /.test(node.name) && node.ref !== null);
  const own = offered.filter((node) => node.name.slice(6).startsWith(`${name},`));
  const [airport] = own.length === 1 ? own : offered;
  if (airport === undefined) throw new Stuck(`no airport of ${name} in\n${page.outline}`);
  if (own.length !== 1 && offered.length !== 1) throw new Unclear(`${offered.length} airports of ${name}`);
  await page.click(airport);
}

async function american(page) {
  const trip = await wanted(page);
  const isOneWay = /one.way/i.test(trip["One Way or Round Trip"]);
  if (isOneWay) await page.click(page.the(await page.look(), "tab", "One way"));
  await cityByCode(page, /^From/, trip["Departure City"]);
  await cityByCode(page, /^To/, trip["Destination City"]);
  await day(page, /^Depart/, trip["Departure Day"], Number(trip["Departure Month"]));
  if (!isOneWay) await day(page, /^Return/, trip["Returning Day"], Number(trip["Returning Month"]));
  await page.button("Search");
}

export const solutions = {
  "flight.AA": american,
  "flight.Alaska": alaska,
  "flight.Alaska-auto": alaska,
  "flight.Alaska-auto-medium": alaska,
};
