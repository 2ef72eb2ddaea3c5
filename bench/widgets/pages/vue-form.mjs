// A Vue form: v-model with its modifiers, lists of boxes, and a field that Vue rewrites.

import { createApp } from "vue/dist/vue.esm-bundler.js";

import { save } from "./saving.mjs";

createApp({
  data: () => ({
    held: { name: "", late: "", age: 20, note: "", pets: ["cat"], color: "red", agree: false, code: "" },
  }),
  watch: {
    "held.code"(code) {
      this.held.code = code.toUpperCase().slice(0, 4);
    },
  },
  methods: {
    save() {
      save(this.held);
    },
  },
  template: `
    <p><label>Name <input v-model.trim="held.name"></label></p>
    <p><label>Later <input v-model.lazy="held.late"></label></p>
    <p><label>Age <input type="number" v-model.number="held.age"></label></p>
    <p><label>Note <textarea v-model="held.note"></textarea></label></p>
    <p><label>Code <input v-model="held.code"></label></p>
    <fieldset><legend>Pets</legend>
      <label v-for="pet in ['ant', 'bee', 'cat']" :key="pet">
        <input type="checkbox" :value="pet" v-model="held.pets"> {{ pet }}</label>
    </fieldset>
    <p><label>Color <select v-model="held.color">
      <optgroup label="Warm"><option value="red">Red</option><option value="orange">Orange</option></optgroup>
      <optgroup label="Cold"><option value="blue">Blue</option><option value="grey" disabled>Grey</option></optgroup>
    </select></label></p>
    <p><label><input type="checkbox" v-model="held.agree"> Agree</label></p>
    <button type="button" @click="save">Save</button>`,
}).mount("#root");
