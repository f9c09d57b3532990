// Rejects JSON-LD that does not follow the vocabulary of schema.org: node structured_data.mjs {folder}
// The compiler compares each *.json file of the folder with the types that schema-dts makes of it.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const folder = process.argv[2];
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
const sources = mkdtempSync(join(import.meta.dirname, "structured-data-"));
const files = names.map((name) => {
  const file = join(sources, name.replace(/\.json$/, ".ts"));
  const data = readFileSync(join(folder, name), "utf8");
  const types = 'import type { Graph, Thing, WithContext } from "schema-dts";';
  writeFileSync(file, `${types}\nexport const data: WithContext<Thing> | Graph =\n${data};\n`);
  return file;
});
const options = { noEmit: true, strict: true, skipLibCheck: true, types: [] };
const program = ts.createProgram(files, { ...options, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 });
const problems = ts.getPreEmitDiagnostics(program);
for (const { file, start, messageText } of problems) {
  const line = file ? file.getLineAndCharacterOfPosition(start).line - 1 : 0;
  const name = file ? names[files.indexOf(file.fileName)] : "";
  console.error(`${name}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}
rmSync(sources, { recursive: true });
console.log(`${problems.length} errors in ${names.length} documents of structured data`);
process.exit(problems.length ? 1 : 0);
