// Ant Design: selects, a date picker, a tree, a cascader, a number, a switch, radio buttons.

import {
  AutoComplete,
  Cascader,
  ConfigProvider,
  DatePicker,
  Form as Item,
  Input,
  InputNumber,
  Radio,
  Select,
  Slider,
  Switch,
  TreeSelect,
} from "antd";

import { Form, show } from "./form.jsx";

const initial = {
  name: "",
  city: undefined,
  tags: [],
  street: "",
  day: null,
  place: undefined,
  unit: undefined,
  count: 3,
  open: false,
  size: "small",
  level: 20,
};
const named = (list) => list.map((each) => ({ value: each, label: each }));
const CITIES = named(["Berlin", "Lima", "Oslo", "Paris", "Quito", "Rome"]);
const TAGS = named(["blue", "green", "red", "yellow"]);
const STREETS = named(["High Street", "Hill Road", "Long Lane"]);
const PLACES = [
  { ...named(["Europe"])[0], children: [{ ...named(["Norway"])[0], children: named(["Bergen", "Oslo"]) }] },
  { ...named(["America"])[0], children: [{ ...named(["Peru"])[0], children: named(["Cusco", "Lima"]) }] },
];
const UNITS = [
  { value: "sales", title: "Sales", children: [{ value: "north", title: "North" }, { value: "south", title: "South" }] },
  { value: "works", title: "Works", children: [{ value: "tools", title: "Tools" }] },
];

function Choices({ state, set }) {
  return (
    <>
      <Item.Item label="City" htmlFor="city">
        <Select id="city" showSearch value={state.city} options={CITIES} onChange={(v) => set("city", v)} />
      </Item.Item>
      <Item.Item label="Tags" htmlFor="tags">
        <Select id="tags" mode="multiple" value={state.tags} options={TAGS} onChange={(v) => set("tags", v)} />
      </Item.Item>
      <Item.Item label="Street" htmlFor="street">
        <AutoComplete id="street" value={state.street} options={STREETS} onChange={(v) => set("street", v)} />
      </Item.Item>
      <Item.Item label="Place" htmlFor="place">
        <Cascader id="place" value={state.place} options={PLACES} onChange={(v) => set("place", v)} />
      </Item.Item>
      <Item.Item label="Unit" htmlFor="unit">
        <TreeSelect id="unit" value={state.unit} treeData={UNITS} treeDefaultExpandAll onChange={(v) => set("unit", v)} />
      </Item.Item>
    </>
  );
}

show(
  <ConfigProvider>
    <Form initial={initial}>
      {(state, set) => (
        <div style={{ width: 480 }}>
          <Item.Item label="Name" htmlFor="name">
            <Input id="name" value={state.name} onChange={(event) => set("name", event.target.value)} />
          </Item.Item>
          <Choices state={state} set={set} />
          <Item.Item label="Day" htmlFor="day">
            <DatePicker id="day" onChange={(_, text) => set("day", text)} />
          </Item.Item>
          <Item.Item label="Count" htmlFor="count">
            <InputNumber id="count" min={1} max={10} value={state.count} onChange={(v) => set("count", v)} />
          </Item.Item>
          <Switch aria-label="Open" checked={state.open} onChange={(v) => set("open", v)} />
          <Radio.Group
            optionType="button"
            options={["small", "large"]}
            value={state.size}
            onChange={(event) => set("size", event.target.value)}
          />
          <Slider ariaLabelForHandle="Level" value={state.level} onChange={(v) => set("level", v)} />
        </div>
      )}
    </Form>
  </ConfigProvider>,
);
