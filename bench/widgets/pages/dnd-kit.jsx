// dnd-kit: a list whose rows are dragged by pointer, and moved by keys; it saves at every drop.

import { useState } from "react";
import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";

import { show } from "./form.jsx";
import { save } from "./saving.mjs";

function Row({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = {
    transform: CSS.Transform.toString(transform),
    transition,
    padding: 12,
    margin: 4,
    width: 240,
    border: "1px solid #888",
    listStyle: "none",
  };
  return (
    <li ref={setNodeRef} style={style} {...attributes} {...listeners}>
      {id}
    </li>
  );
}

function List() {
  const [rows, setRows] = useState(["Ants", "Bees", "Cats", "Dogs", "Eels"]);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 5 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const drop = ({ active, over }) => {
    if (over === null || active.id === over.id) return;
    const moved = arrayMove(rows, rows.indexOf(active.id), rows.indexOf(over.id));
    setRows(moved);
    save({ rows: moved });
  };
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop}>
      <SortableContext items={rows} strategy={verticalListSortingStrategy}>
        <ul>
          {rows.map((id) => (
            <Row key={id} id={id} />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

show(<List />);
