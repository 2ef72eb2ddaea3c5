// Pages that change by themselves, each with the same controls at its top.

import { telling } from './record.mjs';

const CONTROLS = `<header id="top"><button id="count">Count</button> <button id="later">Later</button>
<button id="save">Keep</button> <button id="dead">Dead</button>
<button id="off" disabled>Off</button>
<span id="under"><button id="covered">Covered</button><i id="cover"></i></span>
<label>Name <input id="name"></label> <label>Fixed <input id="fixed" readonly value="fixed"></label>
<label>Color <select id="color"><option>Red<option>Green<option>Blue</select></label>
<label><input type="checkbox" id="agree"> Agree</label>
<output id="counted">0 counted</output> <output id="kept">0 kept</output></header>`;

const STYLE = `#top { position: fixed; top: 0; left: 0; right: 0; height: 90px; background: white; z-index: 9 }
body { margin-top: 100px; font: 14px sans-serif } #under { position: relative }
#cover { position: absolute; inset: -4px; background: silver } td { padding: 2px 6px }`;

/** What the controls do. A page that replaces its whole document's content calls `wire` again. */
const WIRING = `
const state = {counted: 0, kept: 0};
const by = (id) => document.getElementById(id);
const effect = (id, key) => {
  state[key] += 1;
  by(key).textContent = state[key] + ' ' + key;
  tell('effect', {id, value: state[key]});
};
const wire = () => {
  by('count').onclick = () => effect('count', 'counted');
  by('later').onclick = () => setTimeout(() => effect('later', 'counted'), 60);
  by('save').onclick = () => fetch('/save', {method: 'POST', body: page}).then(() => effect('save', 'kept'));
};
wire();`;

/** What each page does by itself. */
const LIVES = {
  clock: {
    body: '<h1>Clock</h1><p id="clock">0</p><div style="height: 3000px"></div>',
    script: `setInterval(() => { by('clock').textContent = 'tick ' + Math.round(performance.now()) }, 250);`,
  },
  list: {
    body: '<h1>List</h1><ul id="items"></ul><div style="height: 2000px"></div>',
    script: `let items = 0;
setInterval(() => {
  const list = by('items');
  if (list.children.length < 30 && Math.random() < 0.6) {
    const item = document.createElement('li');
    item.textContent = 'Item ' + ++items;
    list.append(item);
  } else {
    list.firstElementChild?.remove();
  }
}, 300);`,
  },
  table: {
    body: '<h1>Table</h1><table id="rows"></table>',
    script: `let round = 0;
const render = () => {
  round += 1;
  let html = '';
  for (let row = 1; row <= 2000; row++) {
    html += '<tr><td>' + row + '<td>Part ' + row + '<td>' + (row * round) % 97 + '<td><a href="#r' + row + '">Open ' + row + '</a></tr>';
  }
  by('rows').innerHTML = html;
};
render();
setInterval(render, 1000);`,
  },
  feed: {
    body: '<h1>Feed</h1><div id="feed"></div><div style="height: 2000px"></div>',
    script: `let posts = 0;
setInterval(() => {
  const post = document.createElement('article');
  post.innerHTML = '<h2>Post ' + ++posts + '</h2><p>Something was said.</p><button>Like ' + posts + '</button>';
  by('feed').prepend(post);
  while (by('feed').children.length > 40) by('feed').lastElementChild.remove();
}, 400);`,
  },
  replace: {
    body: '<h1>Replace</h1><div style="height: 2000px"></div>',
    script: `setInterval(() => {
  const kept = {name: by('name').value, color: by('color').value, agree: by('agree').checked};
  const html = document.body.innerHTML;
  document.body.innerHTML = html;
  by('name').value = kept.name;
  by('color').value = kept.color;
  by('agree').checked = kept.agree;
  wire();
}, 1000);`,
  },
};

export const KINDS = Object.keys(LIVES);

/** How long a page has to be watched, in ms, until what it does by itself is known as that: twice. */
export const KNOWN_AFTER_MS = 2_500;

/**
 * Makes one page.
 * @param {string} kind One of `KINDS`.
 * @param {string} page Its name in the record.
 * @param {string} address The recorder's.
 */
export function html(kind, page, address) {
  const { body, script } = LIVES[kind];
  return `<!doctype html><title>${kind}</title><style>${STYLE}</style>${CONTROLS}${body}
<script>${telling(address, page)}${WIRING}${script}</script>`;
}
