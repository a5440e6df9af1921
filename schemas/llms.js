const { readFileSync, writeFileSync } = require('node:fs')
const { join, posix } = require('node:path')

/*
 * Writes `llms.txt` (llmstxt.org): what the package is and all guides, for language models. The list of guides in
 * `docs/README.md` is its source.
 */
const root = join(__dirname, '..')
const read = (file) => readFileSync(join(root, file), 'utf8')
const { name, description } = require('../package.json')

const list = read('docs/README.md')
const guides = [...list.matchAll(/^\| \[(.+?)\]\((.+?)\) +\| (.+?) +\|$/gm)]
const decisions = [...list.matchAll(/^\d+\. \[(.+?)\]\((.+?)\)$/gm)]
if (guides.length === 0 || decisions.length === 0) throw new Error('docs/README.md has no list of guides or decisions')

const path = (link) => posix.join('docs', link)
const lines = (rows) =>
  rows.map(([, title, link, answers]) => `- [${title}](${path(link)})${answers ? `: ${answers}` : ''}\n`)

writeFileSync(
  join(root, 'llms.txt'),
  `# ${name}

> ${description}

- [README](README.md): install, a mount in twelve lines, a complete flag gateway
- [openapi.json](openapi.json): all operations with their bodies, responses and errors

## Guides

${lines(guides).join('')}
## Optional

${lines(decisions).join('')}`,
)
