// Dialogs, windows, downloads: what opens, what has to be answered, what is saved.

import { GO, click, kind, press, script } from "./make.mjs";
import { html } from "../site.mjs";

const window_ = kind("dialogs and windows");
const answer = (how, text) => ({
  do: "dialog",
  answer: how,
  ...(text === undefined ? {} : { text }),
});
const ASK = (call) =>
  `<button onclick="did('asked'); const said = ${call}; did('said ' + said); by('out').textContent = 'said ' + said">Ask</button>`;
const asks = (how) => ({ allowed: ["asked"], before: [click("Ask")], messy: true, ...how });

export const cases = [
  window_(
    "alert: reported with its words",
    `<button onclick="did('ok'); alert('Something happened')">Ask</button>`,
    click("Ask"),
    { says: /Something happened/, after: [answer("accept")], messy: true },
  ),
  window_(
    "confirm: accepted",
    ASK("confirm('Really?')"),
    answer("accept"),
    asks({ effect: "said true" }),
  ),
  window_(
    "confirm: dismissed",
    ASK("confirm('Really?')"),
    answer("dismiss"),
    asks({ effect: "said false" }),
  ),
  window_(
    "prompt: answered",
    ASK("prompt('Your name?')"),
    answer("accept", "Ann"),
    asks({ effect: "said Ann" }),
  ),
  window_(
    "prompt: dismissed",
    ASK("prompt('Your name?')"),
    answer("dismiss"),
    asks({ effect: "said null" }),
  ),
  window_("an act while a dialog is open", `${ASK("confirm('Really?')")}${GO}`, click("Go"), {
    want: "refuse",
    allowed: ["asked", "said false", "said true"],
    before: [click("Ask")],
    after: [answer("dismiss")],
    says: /dialog/,
    messy: true,
  }),
  window_("answer a dialog where none is open", GO, answer("accept"), { want: "refuse" }),
  window_(
    "two dialogs, one after the other",
    `<button onclick="did('asked'); const a = confirm('One?'); const b = confirm('Two?'); did('said ' + a + b)">Ask</button>`,
    answer("accept"),
    {
      effect: "said truetrue",
      allowed: ["asked"],
      before: [click("Ask"), answer("accept")],
      messy: true,
    },
  ),
  window_(
    "a dialog that comes by itself",
    `${GO}${script("window.on.ask = () => setTimeout(() => alert('By itself'), 50)")}`,
    click("Go"),
    {
      want: "refuse",
      before: [{ tell: "ask" }, { pause: 300 }],
      after: [answer("accept")],
      says: /dialog/,
      messy: true,
    },
  ),
  window_(
    "beforeunload: leaving asks first",
    (place) => ({
      "": place.page(
        "Case",
        `<label>Name <input id="f"></label><a href="next" onclick="did('ok')">Leave</a>${script("addEventListener('beforeunload', (e) => e.preventDefault())")}`,
      ),
      next: place.page("Next", ""),
    }),
    click("Leave", "link"),
    {
      before: [{ do: "type", role: "textbox", name: "Name", text: "x" }],
      allowed: ["f"],
      says: /beforeunload/,
      after: [answer("dismiss")],
      dirty: true,
    },
  ),
  window_(
    "a popup with an opener",
    (place) => ({
      "": place.page(
        "Case",
        `<button onclick="did('ok'); open('popup', '_blank', 'width=300,height=200')">Open it</button>`,
      ),
      popup: place.page("Popup", "", { name: "popup" }),
    }),
    click("Open it"),
    { messy: true, says: /new_pages":\[\{/ },
  ),
  window_(
    "a link that opens a page",
    (place) => ({
      "": place.page("Case", `<a href="popup" target="_blank" onclick="did('ok')">Open it</a>`),
      popup: place.page("Popup", "", { name: "popup" }),
    }),
    click("Open it", "link"),
    { messy: true, says: /new_pages":\[\{/ },
  ),
  window_(
    "a popup without an opener",
    (place) => ({
      "": place.page(
        "Case",
        `<a href="popup" target="_blank" rel="noopener" onclick="did('ok')">Open it</a>`,
      ),
      popup: place.page("Popup", "", { name: "popup" }),
    }),
    click("Open it", "link"),
    { messy: true, says: /new_pages":\[\{/ },
  ),
  window_(
    "a popup that closes at once",
    (place) => ({
      "": place.page(
        "Case",
        `<button onclick="did('ok'); const w = open('popup'); setTimeout(() => w.close(), 30)">Open it</button>`,
      ),
      popup: place.page("Popup", "", { name: "popup" }),
    }),
    click("Open it"),
    { messy: true },
  ),
  window_(
    "print",
    `<button onclick="did('ok'); window.print(); by('out').textContent = 'printed'">Print</button>`,
    click("Print"),
    { messy: true },
  ),
  window_(
    "a download by header",
    (place) => ({
      "": place.page("Case", `<a href="file" onclick="did('ok')">Get it</a>`),
      file: {
        serve: (_p, _q, response) =>
          html(response, "a,b\n1,2\n", {
            "content-type": "text/csv",
            "content-disposition": 'attachment; filename="report.csv"',
          }),
      },
    }),
    click("Get it", "link"),
    { says: /report\.csv/, messy: true },
  ),
  window_(
    "a download of a blob",
    `<a id="a" download="blob.txt" onclick="did('ok')">Get it</a>${script("by('a').href = URL.createObjectURL(new Blob(['hello']))")}`,
    click("Get it", "link"),
    { says: /blob\.txt/, messy: true },
  ),
  window_(
    "a download of a data address",
    `<a download="data.txt" href="data:text/plain,hello" onclick="did('ok')">Get it</a>`,
    click("Get it", "link"),
    { says: /data\.txt/, messy: true },
  ),
  window_(
    "a download whose name goes up",
    (place) => ({
      "": place.page("Case", `<a href="file" onclick="did('ok')">Get it</a>`),
      file: {
        serve: (_p, _q, response) =>
          html(response, "x", {
            "content-type": "application/octet-stream",
            "content-disposition": 'attachment; filename="../../../up.sh"',
          }),
      },
    }),
    click("Get it", "link"),
    { says: /up\.sh/, messy: true },
  ),
  window_(
    "a page behind a login of the browser's own",
    (place) => ({
      "": place.page("Case", `<a href="locked" onclick="did('ok')">Enter</a>`),
      locked: {
        serve: (_p, _q, response) =>
          response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end("no"),
      },
    }),
    click("Enter", "link"),
    {
      messy: true,
      record: ({ hits }) => (hits.some(({ path }) => path === "locked") ? "done" : "none"),
    },
  ),
  window_(
    "a permission that is asked for",
    `<button onclick="did('ok'); navigator.geolocation.getCurrentPosition(() => {}, (e) => { by('out').textContent = 'no: ' + e.code; })">Where</button>`,
    click("Where"),
    { messy: true, want: "either" },
  ),
  window_(
    "a link to a PDF",
    (place) => ({
      "": place.page("Case", `<a href="file.pdf" target="_blank" onclick="did('ok')">Read it</a>`),
      "file.pdf": {
        serve: (_p, _q, response) =>
          html(
            response,
            "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>",
            { "content-type": "application/pdf" },
          ),
      },
    }),
    click("Read it", "link"),
    { messy: true },
  ),
  window_(
    "a notification that is asked for",
    `<button onclick="did('ok'); Notification.requestPermission().then((p) => { by('out').textContent = 'said ' + p; })">Notify</button>`,
    click("Notify"),
    { messy: true, want: "either" },
  ),
  window_(
    "an alert as the page loads",
    (place) => ({
      "": place.page("Case", `<a href="next" onclick="did('ok')">On</a>`),
      next: place.page("Next", script("alert('Hello')")),
    }),
    click("On", "link"),
    { messy: true, says: /Hello|dialog/, after: [answer("accept")] },
  ),
  window_(
    "full screen",
    `<button onclick="document.documentElement.requestFullscreen().then(() => { did('ok'); by('out').textContent = 'full'; })">Full</button>`,
    click("Full"),
    { messy: true, dirty: true },
  ),
  window_(
    "a dialog element closed by Escape",
    `<dialog id="d" onclose="did('ok')"><p>Question</p><button>Yes</button></dialog>${script("by('d').showModal()")}`,
    press("Escape"),
  ),
];
