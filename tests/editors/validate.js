// Holds every YAML file below a folder against the schema that its first line names, as editors do that speak to
// yaml-language-server: node validate.js FOLDER, with NODE_PATH where that package is. Ends with 1 if any is wrong.
const fs = require('fs');
const path = require('path');
const { URI } = require('vscode-uri');
const { TextDocument } = require('vscode-languageserver-textdocument');
const { getLanguageService } = require('yaml-language-server/out/server/src/index');

const root = path.resolve(process.argv[2]);
const service = getLanguageService({
  schemaRequestService: (uri) => Promise.resolve(fs.readFileSync(URI.parse(uri).fsPath, 'utf8')),
  workspaceContext: {
    resolveRelativePath: (relative, resource) =>
      URI.file(path.resolve(path.dirname(URI.parse(resource).fsPath), relative)).toString(),
  },
  clientCapabilities: {},
});
service.configure({ validate: true, schemas: [], customTags: [], yamlVersion: '1.2' });

function filesBelow(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.name.startsWith('.'));
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(file) : entry.name.endsWith('.yaml') ? [file] : [];
  });
}

async function main() {
  let wrong = 0;
  for (const file of filesBelow(root)) {
    const text = TextDocument.create(URI.file(file).toString(), 'yaml', 1, fs.readFileSync(file, 'utf8'));
    for (const found of await service.doValidation(text, false)) {
      console.log(`${path.relative(root, file)}:${found.range.start.line + 1}: ${found.message}`);
      wrong += 1;
    }
  }
  process.exit(wrong ? 1 : 0);
}

main();
