// What is to be done on each page, and what the server has to be given when it was.

import { scenarios as calendars } from "./scenarios/calendars.mjs";
import { scenarios as drags } from "./scenarios/drags.mjs";
import { scenarios as editors } from "./scenarios/editors.mjs";
import { scenarios as fields } from "./scenarios/fields.mjs";
import { scenarios as pickers } from "./scenarios/pickers.mjs";

/**
 * @typedef {object} Scenario
 * @property {string} page
 * @property {string} name
 * @property {Record<string, any>} initial What the page would save untouched.
 * @property {Record<string, any>} want What has to be saved differently; a value may be a rule.
 * @property {(hand: any) => Promise<any>} act
 * @property {boolean} [mustTell] The page cannot hold what is asked, and the tool has to say so.
 * @property {boolean} [savesItself] The page saves without its button.
 * @property {string[]} [tools] The only tools it is for.
 */

/** @type {Scenario[]} */
export const scenarios = [...fields, ...pickers, ...calendars, ...editors, ...drags];
