import type { MetadataFieldValue, MetadataGroupValue, MetadataValues } from "../../documents/metadata-document.ts";

/** Characters of a value in a graph. */
const longestLabel = 60;

function quoted(text: string): string {
  const short = text.length > longestLabel ? `${text.slice(0, longestLabel)}…` : text;
  return `"${short
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replace(/\r\n?|\n/g, "\\n")}"`;
}

/** Nodes and edges of a graph, written as they come. */
interface Drawing {
  readonly lines: string[];
  /** Nodes by the change set that made them. */
  readonly changes: Map<string, string[]>;
  next: number;
}

function node(drawing: Drawing, label: string, shape: string, change: string | undefined, parent: string): string {
  const name = `n${drawing.next++}`;
  drawing.lines.push(`  ${name} [label=${quoted(label)}, shape=${shape}];`, `  ${parent} -> ${name};`);
  if (change === undefined) return name;
  const same = drawing.changes.get(change);
  if (same === undefined) drawing.changes.set(change, [name]);
  else same.push(name);
  return name;
}

function drawField(drawing: Drawing, field: MetadataFieldValue, parent: string): void {
  const track = field.track === undefined ? "" : `@${field.track}`;
  const name = node(drawing, `${field.name ?? ""}${track}`, "box", field.change, parent);
  for (const value of field.value ?? []) {
    const language = value.lang === undefined ? "" : ` [${value.lang}]`;
    node(drawing, `${value.value ?? ""}${language}`, "plaintext", value.change, name);
  }
}

function drawGroup(drawing: Drawing, group: MetadataGroupValue, parent: string): void {
  const name = node(drawing, group.name ?? "", "folder", group.change, parent);
  for (const field of group.field ?? []) drawField(drawing, field, name);
  for (const child of group.group ?? []) drawGroup(drawing, child, name);
}

/**
 * Metadata as a graph in the language of Graphviz: the entity, its timespans, groups, fields and values.
 *
 * @param byChange put what one change set made into one box
 */
export function metadataGraph(id: string, metadata: MetadataValues, byChange: boolean): string {
  const drawing: Drawing = { lines: [], changes: new Map(), next: 0 };
  drawing.lines.push(`  root [label=${quoted(id)}, shape=doubleoctagon];`);
  for (const { start = "", end = "", field = [], group = [] } of metadata.timespan ?? []) {
    const timespan = node(drawing, `${start} to ${end}`, "cds", undefined, "root");
    for (const one of field) drawField(drawing, one, timespan);
    for (const one of group) drawGroup(drawing, one, timespan);
  }
  const boxes = byChange
    ? [...drawing.changes].map(
        ([change, nodes], index) =>
          `  subgraph cluster_${index} {\n    label=${quoted(change)};\n    ${nodes.join("; ")};\n  }`,
      )
    : [];
  return `digraph metadata {\n  rankdir=LR;\n${[...drawing.lines, ...boxes].join("\n")}\n}\n`;
}
