import type {
  MetadataFieldValue,
  MetadataGroupValue,
  MetadataValues,
  TerseMetadata,
  TerseValue,
} from "../../documents/metadata-document.ts";

/**
 * The terse form of a metadata document: the values by the names of their fields, each with its timespan; groups are
 * flattened into their fields; the UUID of a value that is not stored is empty.
 */
export function toTerse(metadata: MetadataValues): TerseMetadata {
  const fields = new Map<string, TerseValue[]>();
  for (const timespan of metadata.timespan ?? []) {
    const span = { start: timespan.start ?? "-INF", end: timespan.end ?? "+INF" };
    const addField = (field: MetadataFieldValue): void => {
      const values = (field.value ?? []).map((value) => ({
        ...span,
        uuid: value.uuid ?? "",
        ...(value.lang === undefined ? {} : { lang: value.lang }),
        value: value.value ?? "",
      }));
      const name = field.name ?? "";
      const known = fields.get(name);
      if (known === undefined) fields.set(name, values);
      else for (const value of values) known.push(value);
    };
    const addGroup = (group: MetadataGroupValue): void => {
      for (const field of group.field ?? []) addField(field);
      for (const child of group.group ?? []) addGroup(child);
    };
    for (const field of timespan.field ?? []) addField(field);
    for (const group of timespan.group ?? []) addGroup(group);
  }
  return Object.fromEntries([...fields].filter(([, values]) => values.length > 0));
}
