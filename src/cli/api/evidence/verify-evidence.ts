import { join } from 'node:path'
import { type Command, parseOptions, printable, UsageError } from '../../command'
import { checkFolder } from './check-folder'
import { readPublicKey } from './compare-ledger'
import { sha256Of } from './folder'

export const verifyEvidence: Command = {
  help: `express-change-requests verify-evidence q3: checks a folder that evidence has made

It compares the files with their SHA-256, the change requests with their events, and the tables and the
report with what follows from both. It reads only the folder, and prints what it could not check.

  --public-key <file>  the Ed25519 key of the ledger as PEM: verifies the checkpoint in the manifest

Exit codes: 0 consistent, 6 findings, 1 no such folder or another error, 2 wrong usage.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, { 'public-key': { type: 'string' } })
    const [folder, ...rest] = positionals
    if (folder === undefined || rest.length > 0) {
      throw new UsageError('verify-evidence needs one folder: express-change-requests verify-evidence q3')
    }
    const key = values['public-key']
    const { manifest, findings, total, notChecked } = await checkFolder(folder, key ? readPublicKey(key) : undefined)
    for (const finding of findings) io.out(printable(`${finding}\n`))
    const { requests = 0, events = 0 } = manifest?.counts ?? {}
    const result = total === 0 ? 'consistent' : `${total} ${total === 1 ? 'finding' : 'findings'}`
    io.out(`${folder}: ${requests} change requests, ${events} events: ${result}\n`)
    if (manifest !== undefined) io.out(`SHA-256 of manifest.json: ${sha256Of(join(folder, 'manifest.json'))}\n`)
    for (const text of notChecked) io.out(printable(`Not checked: ${text}\n`))
    return total === 0 ? 0 : 6
  },
}
