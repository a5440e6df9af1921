import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isNodeAtLeast } from '../check-node'
import { type Command, UsageError } from './command'

const file = 'change-requests.mjs'

export const init: Command = {
  help: `express-change-requests init: writes ${file} into this folder, and nothing else

The file is an app with change requests for the flags of one table of SQLite, two users, and the review page.
It uses node:sqlite, or better-sqlite3 with a Node before 22.16. An existing file is not overwritten.
It takes no options.
`,
  async run(args, { out }) {
    if (args.length > 0) throw new UsageError('init takes no options.')
    const { text, packages } = starter()
    try {
      writeFileSync(file, text, { flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      throw new Error(`${file} exists, and was not changed. Rename it, or run init in another folder.`)
    }
    out(`Wrote ${file}. Install what it needs, and start it:

  npm install ${packages.join(' ')}
  node ${file}

It prints a link for each of two users. Change the flag "checkout" as one, and approve and apply that as the other.
`)
    return 0
  },
}

/** The file, and what it needs, for a version of Node. */
export function starter(version?: string): { readonly text: string; readonly packages: readonly string[] } {
  const root = dirname(require.resolve('express-change-requests/package.json'))
  const text = readFileSync(join(root, 'examples/init', file), 'utf8')
  const packages = ['express-change-requests', 'express']
  if (isNodeAtLeast({ major: 22, minor: 16 }, version)) return { text, packages }
  return {
    text: text
      .replace("import { DatabaseSync } from 'node:sqlite'", "import Database from 'better-sqlite3'")
      .replace('new DatabaseSync(', 'new Database('),
    packages: [...packages, 'better-sqlite3@12'],
  }
}
