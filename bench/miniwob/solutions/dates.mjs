// Tasks with dates and times: native fields and a calendar that is turned page by page.

import { Stuck } from "../episode.mjs";
import { read } from "./reading.mjs";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September",
  "October", "November", "December"];

async function enterDate(page) {
  const [, month, day, year] = (await page.instruction()).match(/(\d+)\/(\d+)\/(\d+)/) ?? [];
  await page.fill(page.the(await page.area(), "textbox"), `${year}-${month}-${day}`);
  await page.button("Submit");
}

async function enterTime(page) {
  const [, hour, minute, half] = (await page.instruction()).match(/(\d+):(\d+)\s*([AP]M)/) ?? [];
  const hours = (Number(hour) % 12) + (half === "PM" ? 12 : 0);
  await page.fill(page.the(await page.area(), "textbox"), `${String(hours).padStart(2, "0")}:${minute}`);
  await page.button("Submit");
}

/**
 * Turns an open calendar to a month and clicks a day of it.
 * @param {import('../episode.mjs').Episode} page
 * @param {string} date Such as `04/08/2016`.
 */
export async function pick(page, date) {
  const [month, day, year] = date.split("/").map(Number);
  const wanted = year * 12 + month - 1;
  for (let left = 60; left > 0; left--) {
    const seen = await page.look({ within: "#ui-datepicker-div" });
    const shown = seen.map((node) => node.name).join(" ");
    const [, name, at] = shown.match(new RegExp(`(${MONTHS.join("|")}) (\\d{4})`)) ?? [];
    if (name === undefined) throw new Stuck(`no month in ${page.outline}`);
    const now = Number(at) * 12 + MONTHS.indexOf(name);
    if (now === wanted) {
      const cell = seen.find((node) => node.name === String(day) && node.ref !== null);
      if (cell === undefined) throw new Stuck(`no day ${day} in ${page.outline}`);
      return page.click(cell);
    }
    const turn = now < wanted ? "Next" : "Prev";
    await page.clickText(turn);
  }
  throw new Stuck(`the calendar does not come to ${date}`);
}

async function chooseDate(page) {
  const date = read(await page.instruction(), /(\d+\/\d+\/\d+)/);
  await page.click(page.the(await page.area(), "textbox"));
  await page.still();
  await pick(page, date);
  await page.still();
  await page.button("Submit");
}

export const solutions = {
  "enter-date": enterDate,
  "enter-time": enterTime,
  "choose-date": chooseDate,
  "choose-date-easy": chooseDate,
  "choose-date-medium": chooseDate,
  "choose-date-nodelay": chooseDate,
};
