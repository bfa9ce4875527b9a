import type { Infer } from "../../documents/declare.ts";
import type { Subject } from "../../plugin/contract.ts";
import type { Store } from "../../store/store.ts";
import { readGrades } from "../access/grades.ts";
import { type AccessPort, rankOf } from "../access-port.ts";
import type { FileType } from "../documents/file-document.ts";

type FileItems = NonNullable<Infer<typeof FileType>["item"]>;

/** Shapes with their components, by item. */
type Belonging = Map<number, Map<number, number[]>>;

function add(belonging: Belonging, item: number, shape: number, component: number): void {
  const shapes = belonging.get(item) ?? new Map<number, number[]>();
  belonging.set(item, shapes);
  const components = shapes.get(shape) ?? [];
  shapes.set(shape, components);
  components.push(component);
}

function documentsOf(belonging: Belonging, format: (serial: number) => string): FileItems {
  return [...belonging].map(([item, shapes]) => ({
    id: format(item),
    shape: [...shapes].map(([shape, components]) => ({
      id: format(shape),
      component: components.map((component) => ({ id: format(component) })),
    })),
  }));
}

/** The items, shapes and components that files belong to, by file, as far as the caller may read the shapes. */
export async function itemsOfFiles(
  { store, access }: { readonly store: Store; readonly access: AccessPort },
  subject: Subject,
  files: readonly number[],
): Promise<ReadonlyMap<number, FileItems>> {
  const grades = await access.grades(subject, "item", "s.item", "SHAPE");
  const rows = await store.query({
    sql: `select l.file, s.item, l.shape, l.component, ${grades.sql} as grades,
        (select json_group_array(tag) from shape_tagging where shape = s.id) as tags
      from shape_file l join shape s on s.id = l.shape where l.file in (select value from json_each(?))
      order by l.file, s.item, l.shape, l.component`,
    args: [...grades.args, JSON.stringify(files)],
  });
  const found = new Map<number, Belonging>();
  for (const row of rows) {
    const tags = JSON.parse(String(row.tags)) as readonly string[];
    if (readGrades(row.grades, "SHAPE").permission(tags) < rankOf("READ")) continue;
    const belonging: Belonging = found.get(Number(row.file)) ?? new Map();
    found.set(Number(row.file), belonging);
    add(belonging, Number(row.item), Number(row.shape), Number(row.component));
  }
  return new Map([...found].map(([file, belonging]) => [file, documentsOf(belonging, store.ids.format)]));
}
