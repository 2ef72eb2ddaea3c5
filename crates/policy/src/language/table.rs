//! The table: one entry for each key of `policy.yaml` and of the files of cases.

use crate::language::{Field, Format, Shape};

use Shape::{Flag, Keys, Kind, List, Map, Names, Number, NumberOr, Text, Word};

const ACTORS: &[&str] = &["agent", "replay", "assist", "human"];
const ACTORS_AND_ANY: &[&str] = &["any", "agent", "replay", "assist", "human"];
const TIERS: &[&str] = &["safe", "elevated", "irreversible"];
const ANSWERS: &[&str] = &["allow", "gate", "hold", "refuse"];
const SCHEMES: &[&str] = &["https", "http", "either"];
const METHODS: &[&str] = &["get", "post", "dialog"];
const OWNERS: &[&str] = &["yours", "third-party"];

/// A place that may be loaded.
const PLACE: Shape = Map(&[
    Field::needed(
        "host",
        Text(Format::Host),
        "The host. `*.shop.example` means every host below `shop.example` and not that host itself.",
    ),
    Field::may("scheme", Word(SCHEMES), "https", "The scheme; `either` is http and https."),
    Field::may(
        "port",
        NumberOr(1, 65_535, &["any"]),
        "the scheme's own",
        "The port; `any` is every port.",
    ),
    Field::may(
        "paths",
        List(&Text(Format::Path)),
        "every path",
        "Paths, of which one has to match, in the syntax of URL patterns: `*` is anything, `:name` \
         is one segment, `{...}?` may be missing. A path is matched as it is and decoded; both have \
         to match.",
    ),
]);

/// A place that may not be loaded.
const DENIED_PLACE: Shape = Map(&[
    Field::may("host", Text(Format::Host), "every host", "The host, as in `allow`."),
    Field::may("scheme", Word(SCHEMES), "either", "The scheme."),
    Field::may("port", NumberOr(1, 65_535, &["any"]), "any", "The port."),
    Field::may(
        "paths",
        List(&Text(Format::Path)),
        "every path",
        "Paths, of which one has to match, as it is or decoded.",
    ),
]);

const FRAMES: Shape = Map(&[
    Field::may(
        "others",
        Word(&["block", "load"]),
        "block",
        "What becomes of a frame with a document that no list names: it is not fetched, or it is \
         loaded and not acted in.",
    ),
    Field::may(
        "load",
        List(&PLACE),
        "none",
        "Further places whose documents may be loaded in frames. They are not acted in.",
    ),
    Field::may(
        "act",
        List(&PLACE),
        "none",
        "Further places whose documents may be loaded in frames and acted in.",
    ),
]);

const BOUNDARY: Shape = Map(&[
    Field::needed(
        "allow",
        List(&PLACE),
        "Places whose documents may be loaded and acted in. An empty list allows none.",
    ),
    Field::may(
        "deny",
        List(&DENIED_PLACE),
        "none",
        "Places whose documents may not be loaded, whatever else names them, frames included.",
    ),
    Field::may("frames", FRAMES, "`others: block`", "What may be loaded in frames besides."),
    Field::may(
        "made",
        List(&Word(&["blob", "data"])),
        "none",
        "Documents that pages make by themselves: `blob` of a place that may be loaded, `data` in \
         frames alone. Downloads of blobs need `blob` too.",
    ),
    Field::may(
        "egress",
        Word(&["open", "listed"]),
        "open",
        "What requests that are not documents may reach. `listed` asks for containment; a version \
         that cannot contain the browser refuses to begin with it.",
    ),
]);

const KINDS: Shape = Map(&[
    Field::may("allow", List(&Kind), "every kind", "The only kinds of action this actor may take."),
    Field::may("deny", List(&Kind), "none", "Kinds this actor may not take; wins over `allow`."),
    Field::may(
        "gate",
        List(&Kind),
        "none",
        "Kinds that meet a gate whatever the element is called; their risk is at least elevated.",
    ),
]);

const WORDS: Shape = Map(&[
    Field::may("elevated", List(&Text(Format::Plain)), "none", "Whole words of tier elevated."),
    Field::may(
        "irreversible",
        List(&Text(Format::Plain)),
        "none",
        "Whole words of tier irreversible.",
    ),
]);

const WHEN: Shape = Map(&[
    Field::may("name", Text(Format::Regex), "any", "The name of the element, or a dialog's text."),
    Field::may("role", Text(Format::Name), "any", "The role of the element."),
    Field::may("near", Text(Format::Regex), "any", "Its row, column, label or heading."),
    Field::may("kinds", List(&Kind), "any", "The kind of action."),
    Field::may("place", DENIED_PLACE, "any", "Where the document of the element is."),
    Field::may("submits", Flag, "either", "Whether it submits a form."),
    Field::may("method", Word(METHODS), "any", "The method of its form."),
    Field::may("leaves", Flag, "either", "Whether its form goes to a place outside the boundary."),
    Field::may("login", Flag, "either", "Whether its form asks for a password."),
    Field::may("secret", Flag, "either", "Whether it is a field the page hides."),
    Field::may("download", Flag, "either", "Whether it is a link that downloads."),
    Field::may("unnamed", Flag, "either", "Whether it has no name at all."),
]);

const RISK_RULE: Shape = Map(&[
    Field::needed(
        "tier",
        Word(TIERS),
        "The tier of what matches. It raises the tier, or takes the place of the tier the words in \
         the name lead to; it never lowers what the structure of the page says.",
    ),
    Field::needed("when", WHEN, "What has to hold, all of it; at least one condition."),
    Field::may("why", Text(Format::Plain), "none", "What is told to whoever is refused."),
]);

const RISK: Shape = Map(&[
    Field::may(
        "words",
        Names(&WORDS),
        "none",
        "Words in names that lead to a tier, for each language; besides the English ones that are \
         always known.",
    ),
    Field::may("rules", List(&RISK_RULE), "none", "Rules; of those that match the highest holds."),
]);

const CAPS: Shape = Map(&[
    Field::may("actions", Number(1, 100_000), "200", "Actions a run may take."),
    Field::may("goal_actions", Number(1, 100_000), "40", "Actions each goal may take."),
    Field::may(
        "time",
        Text(Format::Time),
        "no limit",
        "How long after its beginning a run may act.",
    ),
    Field::may("pages", Number(1, 200), "20", "Pages a run may open; those a site opens are told."),
    Field::may("download", Text(Format::Bytes), "256MiB", "Bytes of one download that is kept."),
    Field::may("downloads", Text(Format::Bytes), "1GiB", "Bytes of all downloads that are kept."),
]);

const DIALOG: Shape = Map(&[
    Field::needed(
        "kind",
        Word(&["alert", "confirm", "prompt", "beforeunload"]),
        "Which kind of dialog.",
    ),
    Field::may("text", Text(Format::Regex), "any", "What its text has to match."),
    Field::needed(
        "answer",
        Word(&["accept", "dismiss"]),
        "The answer. Accepting is judged like every other act, by the text of the dialog.",
    ),
]);

const DOWNLOADS: Shape = Map(&[Field::may(
    "keep",
    Flag,
    "true",
    "Whether downloads are kept; when not, the browser is told to take none.",
)]);

const UPLOADS: Shape = Map(&[
    Field::may(
        "roots",
        List(&Text(Format::File)),
        "the project",
        "Folders that files may come from. What `begin` names has to lie inside of them. A relative \
         one starts at the folder of the policy.",
    ),
    Field::may(
        "names",
        List(&Text(Format::Glob)),
        "every name",
        "Names of files, one has to match.",
    ),
    Field::may("bytes", Text(Format::Bytes), "no limit", "Bytes of one file."),
]);

const REDACTION: Shape = Map(&[
    Field::may(
        "patterns",
        List(&Map(&[
            Field::needed("name", Text(Format::Name), "What it is, for the reader of the policy."),
            Field::needed("pattern", Text(Format::Regex), "What is taken out wherever it stands."),
        ])),
        "none",
        "Patterns of what is taken out of everything that is shown or written.",
    ),
    Field::may(
        "values",
        List(&Map(&[
            Field::may("env", Text(Format::Variable), "none", "A variable that holds the value."),
            Field::may(
                "file",
                Text(Format::File),
                "none",
                "A private file that holds the value, up to the end of its last line.",
            ),
        ])),
        "none",
        "Exact values that are taken out. Each names one source; one that is not there stops the \
         run before it begins.",
    ),
]);

const SECRET: Shape = Map(&[
    Field::needed("name", Text(Format::Name), "What `--secret` calls it."),
    Field::may("env", Text(Format::Variable), "none", "A variable that holds the value."),
    Field::may("file", Text(Format::File), "none", "A private file that holds the value."),
    Field::may(
        "command",
        List(&Text(Format::Plain)),
        "none",
        "A program and its arguments; the value is the first line it prints.",
    ),
    Field::may("site", Text(Format::Site), "none", "The registrable domain it may be typed at."),
    Field::may(
        "host",
        Text(Format::Host),
        "none",
        "The host it may be typed at, in place of `site`.",
    ),
    Field::may("scheme", Word(SCHEMES), "https", "The scheme of that place."),
    Field::may(
        "port",
        NumberOr(1, 65_535, &["any"]),
        "the scheme's own",
        "The port of that place.",
    ),
    Field::may(
        "field",
        Word(&["hidden", "text"]),
        "hidden",
        "The kind of field: one the page hides, such as a password, or one it shows, such as a \
         user name.",
    ),
]);

/// The whole of `policy.yaml`.
pub(crate) const POLICY: Shape = Map(&[
    Field::needed("version", Number(1, 1), "The version of this language: 1."),
    Field::may(
        "owner",
        Word(OWNERS),
        "what `begin` says",
        "Whose application the policy is for. `begin` may be stricter (third-party), never laxer.",
    ),
    Field::may(
        "boundary",
        BOUNDARY,
        "the target's site and each `--allow`",
        "Where documents may be loaded from and acted in. Every document in every frame is judged \
         before it is fetched, at every redirect, and where it landed afterwards. An address that \
         is written in a way that could mean another one is outside, whoever writes it.",
    ),
    Field::may(
        "actions",
        Keys(ACTORS_AND_ANY, &KINDS),
        "every kind for every actor",
        "Which kinds of action each actor may take. `any` holds for all of them; of two lists that \
         speak of a kind the stricter one holds.",
    ),
    Field::may("risk", RISK, "the words that are always known", "How much an act can cost."),
    Field::may(
        "gates",
        Keys(TIERS, &Keys(ACTORS, &Word(ANSWERS))),
        "see the table below",
        "What becomes of an act of this tier by this actor: `allow` it; `gate` it, so that a claim \
         that holds opens it; `hold` it for a person's approval; `refuse` it. Irreversible acts of \
         anybody but a person cannot be allowed, and no claim opens them.",
    ),
    Field::may("caps", CAPS, "those of every run", "How much a run may use."),
    Field::may(
        "dialogs",
        List(&DIALOG),
        "none is answered",
        "Which dialogs are answered without being asked for; the first rule that matches holds.",
    ),
    Field::may("downloads", DOWNLOADS, "kept", "What becomes of downloads."),
    Field::may("uploads", UPLOADS, "the project", "Which files may be given to a page."),
    Field::may("redaction", REDACTION, "known secrets alone", "What is taken out besides."),
    Field::may(
        "secrets",
        List(&SECRET),
        "none but the login of `begin`",
        "Named secrets, and where they may be typed. With this list a secret it does not name \
         cannot be typed, the login of `begin` included.",
    ),
]);

const ELEMENT: Shape = Map(&[
    Field::may("role", Text(Format::Name), "button", "Its role."),
    Field::may("name", Text(Format::Plain), "none", "Its name."),
    Field::may("near", Text(Format::Plain), "none", "Its heading."),
    Field::may("submits", Flag, "false", "Whether it submits a form."),
    Field::may("method", Word(METHODS), "get", "The method of its form."),
    Field::may("form", Text(Format::Address), "the page", "Where its form goes."),
    Field::may("login", Flag, "false", "Whether its form asks for a password."),
    Field::may("secret", Flag, "false", "Whether the page hides what it holds."),
    Field::may("download", Flag, "false", "Whether it is a link that downloads."),
]);

const CASE: Shape = Map(&[
    Field::may("case", Text(Format::Plain), "its number", "What it is called."),
    Field::may("url", Text(Format::Address), "none", "An address to be judged by the boundary."),
    Field::may("frame", Flag, "false", "Whether that address is to be loaded in a frame."),
    Field::may("action", Kind, "none", "A kind of action to be judged, in place of `url` alone."),
    Field::may("actor", Word(ACTORS), "agent", "Who acts."),
    Field::may("owner", Word(OWNERS), "the policy's, else third-party", "Whose application it is."),
    Field::may("page", Text(Format::Address), "none", "Where the element is."),
    Field::may("element", ELEMENT, "none", "What is acted on."),
    Field::may("dialog", Text(Format::Plain), "none", "The text of the open dialog."),
    Field::may("secret", Text(Format::Name), "none", "The secret that is typed."),
    Field::may("claim", Word(&["none", "requested", "created"]), "none", "The claim that is made."),
    Field::may("request", Text(Format::Plain), "none", "What the user asked for."),
    Field::may("typed", Text(Format::Plain), "none", "A name this run has typed."),
    Field::needed(
        "expect",
        Word(&["inside", "outside", "blocked", "allow", "gate", "hold", "refuse"]),
        "What the policy has to say: the first three of an address, the others of an act.",
    ),
    Field::may("code", Text(Format::Name), "any", "The code of the refusal."),
]);

/// The whole of a file of cases.
pub(crate) const CASES: Shape = Map(&[
    Field::needed("version", Number(1, 1), "The version of this format: 1."),
    Field::needed("cases", List(&CASE), "The cases."),
]);
