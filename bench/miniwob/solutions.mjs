// Every scripted task, by the name of its page.

import { solutions as clicking } from "./solutions/clicking.mjs";
import { solutions as choosing } from "./solutions/choosing.mjs";
import { solutions as dates } from "./solutions/dates.mjs";
import { solutions as text } from "./solutions/text.mjs";
import { solutions as forms } from "./solutions/forms.mjs";
import { solutions as lists } from "./solutions/lists.mjs";
import { solutions as mail } from "./solutions/mail.mjs";
import { solutions as posts } from "./solutions/posts.mjs";
import { solutions as dragging } from "./solutions/dragging.mjs";
import { solutions as seeing } from "./solutions/seeing.mjs";
import { solutions as drawing, ENOUGH } from "./solutions/drawing.mjs";
import { solutions as shapes } from "./solutions/shapes.mjs";
import { solutions as flights } from "./solutions/flights.mjs";
import { solutions as sites } from "./solutions/sites.mjs";

/** @type {Record<string, (page: import('./episode.mjs').Episode) => Promise<void>>} */
export const solutions = {
  ...clicking, ...choosing, ...text, ...forms, ...dates, ...lists, ...mail, ...posts, ...dragging,
  ...seeing, ...drawing, ...sites, ...flights, ...shapes,
};

/** Returns the reward that a task done well has; some pages pay by how near a point was. @param {string} task */
export const enough = (task) => ENOUGH[task] ?? 1;
