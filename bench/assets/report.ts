import type { ReadFigures } from "./measure-reads.ts";
import type { WriteFigures } from "./measure-writes.ts";
import type { Figure } from "./statistics.ts";

/** What one size of archive gave. */
export interface SizeReport {
  readonly items: number;
  readonly bytesPerItem: number;
  readonly reads: readonly ReadFigures[];
  readonly writes: readonly WriteFigures[];
}

const milliseconds = (value: number) => (Number.isFinite(value) ? value.toFixed(value < 10 ? 2 : 1) : "");
const ratio = (a: number, b: number) => (Number.isFinite(a / b) ? (a / b).toFixed(2) : "");

function readRow(figures: ReadFigures, smallest: SizeReport | undefined): string {
  const { name, ours, sql, request, metadata } = figures;
  const before = smallest?.reads.find((other) => other.name === name);
  const cells = [
    name,
    milliseconds(ours.median),
    milliseconds(ours.p99),
    milliseconds(sql.median),
    ratio(ours.median, sql.median),
    ratio(ours.p99, ours.median),
    median(request),
    median(metadata),
    before === undefined ? "" : ratio(ours.median, before.ours.median),
    before?.request === undefined || request === undefined ? "" : ratio(request.median, before.request.median),
  ];
  return `| ${cells.join(" | ")} |`;
}

function median(figure: Figure | undefined): string {
  return figure === undefined ? "" : milliseconds(figure.median);
}

function writeRow({ name, ours, sql }: WriteFigures): string {
  const cells = [
    name,
    milliseconds(ours.median),
    milliseconds(ours.p99),
    milliseconds(sql.median),
    ratio(ours.median, sql.median),
    ratio(sql.median, ours.median),
    ratio(ours.p99, ours.median),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The figures of one size as Markdown. `smallest` is the report of 10,000 items, to compare with. */
export function reportText(report: SizeReport, smallest: SizeReport | undefined): string {
  const compared = smallest?.items === report.items ? undefined : smallest;
  return [
    `## ${report.items.toLocaleString("en")} items, ${Math.round(report.bytesPerItem)} bytes of disk each`,
    "",
    "Milliseconds, medians; one process, warm, in turns. The SQL gives the same answer from the same file.",
    "",
    "| | service | p99 | SQL | service / SQL | p99 / median | request, ids | request, metadata | of 10,000 | request of 10,000 |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...report.reads.map((figures) => readRow(figures, compared)),
    "",
    "| | service | p99 | bare statements | service / bare | bare / service | p99 / median |",
    "|---|---|---|---|---|---|---|",
    ...report.writes.map(writeRow),
    "",
    ...[...report.reads, ...report.writes].map(({ name, what }) => `- **${name}**: ${what}`),
    "",
  ].join("\n");
}
