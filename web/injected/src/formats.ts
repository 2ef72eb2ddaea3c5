// Which texts a native control can hold. Pure: takes the control's type and limits, not the control.

const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/;
const DATE = /^(\d{4,6})-(\d\d)-(\d\d)$/;
const MONTH = /^(\d{4,6})-(0[1-9]|1[0-2])$/;
const WEEK = /^(\d{4,6})-W(\d\d)$/;
const COLOR = /^#[0-9a-fA-F]{6}$/;

export interface Limits {
  min: string | null;
  max: string | null;
  step: string | null;
}

/** Why a control of this type cannot hold the value, or null when it can. */
export function misfit(type: string, value: string, limits: Limits): string | null {
  if (value === "" && type !== "range" && type !== "color") return null;
  switch (type) {
    case "number":
      return NUMBER.test(value) ? null : "not a number";
    case "range":
      return NUMBER.test(value) ? rangeMisfit(Number(value), limits) : "not a number";
    case "date":
      return isDate(value) ? null : "not a date (YYYY-MM-DD)";
    case "time":
      return TIME.test(value) ? null : "not a time (HH:MM)";
    case "month":
      return MONTH.test(value) ? null : "not a month (YYYY-MM)";
    case "week":
      return isWeek(value) ? null : "not a week (YYYY-Www)";
    case "datetime-local": {
      const [date, time, rest] = value.split(/[T ]/);
      const fits = isDate(date ?? "") && TIME.test(time ?? "") && rest === undefined;
      return fits ? null : "not a date and time (YYYY-MM-DDTHH:MM)";
    }
    case "color":
      return COLOR.test(value) ? null : "not a color (#rrggbb)";
  }
  return null;
}

function rangeMisfit(value: number, limits: Limits): string | null {
  const min = numberOr(limits.min, 0);
  const max = Math.max(min, numberOr(limits.max, 100));
  if (value < min || value > max) return `outside ${min} to ${max}`;
  if (limits.step?.toLowerCase() === "any") return null;
  const given = numberOr(limits.step, 1);
  const step = given > 0 ? given : 1;
  const steps = (value - min) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6 ? null : `not a step of ${step} from ${min}`;
}

const numberOr = (text: string | null, otherwise: number): number =>
  text !== null && NUMBER.test(text) ? Number(text) : otherwise;

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year === 0 || month < 1 || month > 12 || day < 1) return false;
  return day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isWeek(text: string): boolean {
  const match = WEEK.exec(text);
  if (!match) return false;
  const year = Number(match[1]);
  const week = Number(match[2]);
  return year > 0 && week >= 1 && week <= weeksIn(year);
}

/** A year has 53 weeks when it starts on a Thursday, or on a Wednesday in a leap year. */
function weeksIn(year: number): number {
  const weekday = (y: number): number =>
    (y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)) % 7;
  return weekday(year) === 4 || weekday(year - 1) === 3 ? 53 : 52;
}
