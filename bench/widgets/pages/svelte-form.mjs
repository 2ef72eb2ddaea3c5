// Shows the Svelte form.

import { mount } from "svelte";

import Form from "./Form.svelte";

mount(Form, { target: document.getElementById("root") });
