// Material UI: fields, a select, autocompletes, a slider, a switch, and its sectioned date field.

import Autocomplete from "@mui/material/Autocomplete";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import InputLabel from "@mui/material/InputLabel";
import MenuItem from "@mui/material/MenuItem";
import Rating from "@mui/material/Rating";
import Select from "@mui/material/Select";
import Slider from "@mui/material/Slider";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import { AdapterDayjs } from "@mui/x-date-pickers/AdapterDayjs";
import { DesktopDatePicker } from "@mui/x-date-pickers/DesktopDatePicker";
import { LocalizationProvider } from "@mui/x-date-pickers/LocalizationProvider";
import { MobileDatePicker } from "@mui/x-date-pickers/MobileDatePicker";

import { Form, show } from "./form.jsx";

const initial = {
  title: "",
  notes: "",
  age: "",
  film: null,
  tags: [],
  level: 30,
  lamp: false,
  day: null,
  sent: null,
  stars: 2,
};
const AGES = ["Ten", "Twenty", "Thirty"];
const FILMS = ["Alien", "Brazil", "Casablanca", "Dune", "Fargo", "Gattaca", "Heat"];
const TAGS = ["draft", "final", "legal", "public", "urgent"];

/** A date is held only while it is one. */
const held = (day) => (day?.isValid() ? day.format("YYYY-MM-DD") : null);

function Choices({ state, set }) {
  return (
    <>
      <FormControl sx={{ width: 300 }}>
        <InputLabel id="age-label">Age</InputLabel>
        <Select
          labelId="age-label"
          label="Age"
          value={state.age}
          onChange={(event) => set("age", event.target.value)}
        >
          {AGES.map((age) => (
            <MenuItem key={age} value={age}>
              {age}
            </MenuItem>
          ))}
        </Select>
      </FormControl>
      <Autocomplete
        options={FILMS}
        sx={{ width: 300 }}
        value={state.film}
        onChange={(_, film) => set("film", film)}
        renderInput={(params) => <TextField {...params} label="Film" />}
      />
      <Autocomplete
        multiple
        options={TAGS}
        sx={{ width: 500 }}
        value={state.tags}
        onChange={(_, tags) => set("tags", tags)}
        renderInput={(params) => <TextField {...params} label="Tags" />}
      />
    </>
  );
}

show(
  <LocalizationProvider dateAdapter={AdapterDayjs}>
    <Form initial={initial}>
      {(state, set) => (
        <Stack spacing={2}>
          <TextField
            label="Title"
            value={state.title}
            onChange={(event) => set("title", event.target.value)}
          />
          <TextField
            label="Notes"
            multiline
            value={state.notes}
            onChange={(event) => set("notes", event.target.value)}
          />
          <Choices state={state} set={set} />
          <Slider
            aria-label="Level"
            sx={{ width: 300 }}
            value={state.level}
            onChange={(_, level) => set("level", level)}
          />
          <FormControlLabel
            label="Lamp"
            control={
              <Switch checked={state.lamp} onChange={(event) => set("lamp", event.target.checked)} />
            }
          />
          <Rating name="stars" value={state.stars} onChange={(_, stars) => set("stars", stars)} />
          <DesktopDatePicker label="Due" onChange={(day) => set("day", held(day))} />
          <MobileDatePicker label="Sent" onChange={(day) => set("sent", held(day))} />
        </Stack>
      )}
    </Form>
  </LocalizationProvider>,
);
