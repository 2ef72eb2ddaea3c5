//! `fill-form`: each field an act, all read again, then the press; no value in any answer.

use serde_json::Value;

use crate::lab::{Begun, Lab};
use crate::site::Site;

const FORM: &str = r#"<title>Form</title><form id=form><label>Name <input name=who></label>
    <label>Mail <input name=mail></label><label><input type=checkbox name=terms> Terms</label>
    <label>Color <select name=color><option>Red<option>Blue</select></label>
    <label>Age <input type=number name=age></label><button>Send</button><output id=out></output></form>
    <script>form.onsubmit = (event) => { event.preventDefault(); const all = form.elements;
    got(['sent', all.who.value, all.mail.value, all.terms.checked, all.color.value].join('_'));
    out.textContent = 'Stored' }</script>"#;
const RESETS: &str = r#"<title>Form</title><form id=form><label>Name <input name=who></label>
    <label>Mail <input name=mail></label><button>Send</button></form><script>
    form.elements.mail.oninput = () => { form.elements.who.value = '' };
    form.onsubmit = (event) => { event.preventDefault(); got('sent') }</script>"#;
const PAGES: &[(&str, &str)] = &[("/form", FORM), ("/resets", RESETS)];

const NAME: &str = "Quite-Unlikely-Name";

fn fill(lab: &Lab, form: &str) -> Value {
    lab.json_with(&["fill-form"], form.as_bytes()).good()
}

fn begin(lab: &Lab, site: &Site, path: &str) -> Begun {
    lab.begin_at(&site.url(path), &[])
}

#[test]
fn a_form_is_filled_verified_and_sent_once() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    begin(&lab, &site, "/form");
    let form = format!(
        r#"{{"fields": [{{"target": {{"role": "textbox", "name": "Name"}}, "sensitive": "{NAME}"}},
        {{"target": {{"role": "textbox", "name": "Mail"}}, "text": "a@b"}},
        {{"target": {{"role": "checkbox", "name": "Terms"}}, "checked": true}},
        {{"target": {{"role": "combobox", "name": "Color"}}, "values": ["Blue"]}}],
        "submit": {{"role": "button", "name": "Send"}}, "expect": "text:Stored"}}"#
    );

    let filled = fill(&lab, &form);

    assert_eq!(filled["stopped"], Value::Null, "{filled:#}");
    assert_eq!((&filled["verified"], &filled["submitted"]), (&true.into(), &true.into()));
    assert_eq!(filled["fields"].as_array().unwrap().len(), 4);
    assert_eq!(site.got(), [format!("sent_{NAME}_a@b_true_Blue")]);
    assert!(!filled.to_string().contains(NAME), "{filled:#}");
    let acts = lab.ask(&["end"])["report"]["acts"].as_array().unwrap().len();
    assert_eq!(acts, 5, "each field is an act of its own, and so is the press");
}

#[test]
fn a_field_that_loses_its_value_stops_the_form_before_it_is_sent() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    let begun = begin(&lab, &site, "/resets");
    let form = format!(
        "fields:\n  - target: {{ role: textbox, name: Name }}\n    sensitive: {NAME}\n  \
         - target: {{ role: textbox, name: Mail }}\n    text: a@b\n\
         submit: {{ role: button, name: Send }}\n"
    );

    let filled = fill(&lab, &form);

    assert_eq!(
        (&filled["stopped"]["at"], &filled["stopped"]["field"], &filled["submitted"]),
        (&"verify".into(), &1.into(), &false.into()),
        "{filled:#}"
    );
    assert_eq!(site.got(), Vec::<String>::new());
    lab.ask(&["end"]);
    for name in ["trace.jsonl", "report.json", "run.json", "events.jsonl"] {
        assert!(!begun.read(name).contains(NAME), "{name}");
    }
}

#[test]
fn a_form_ends_at_the_first_field_that_is_refused() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    begin(&lab, &site, "/form");
    let form = r#"{"fields": [{"target": {"role": "textbox", "name": "Mail"}, "text": "a@b"},
        {"target": {"role": "spinbutton", "name": "Age"}, "text": "12a"},
        {"target": {"role": "checkbox", "name": "Terms"}, "checked": true}],
        "submit": {"role": "button", "name": "Send"}}"#;

    let filled = fill(&lab, form);

    let fields = filled["fields"].as_array().unwrap();
    assert_eq!((fields.len(), &fields[1]["code"]), (2, &"invalid_value".into()), "{filled:#}");
    assert_eq!(
        (&filled["stopped"]["at"], &filled["stopped"]["field"]),
        (&"field".into(), &2.into())
    );
    assert_eq!(site.got(), Vec::<String>::new());
    lab.json_with(&["fill-form"], b"{fields: []}").refused(2, "bad_form");
    lab.ask(&["end"]);
}
