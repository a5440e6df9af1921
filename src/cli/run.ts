import manifest from 'express-change-requests/package.json'
import { type Command, describeError, isUsageError, load, type ProcessIo, UsageError } from './command'

export const help = `express-change-requests: change requests from the command line

Commands for the API of a router; they need the variables CHANGE_REQUESTS_URL and CHANGE_REQUESTS_KEY:
  propose    proposes the changes of a file; can submit them, wait for the decision, and apply them
  show       prints a change request
  review     prints what a change request is missing, and the steps that you can take
  apply      applies a change request
  cancel     cancels a change request
  object     objects to a change request, so that it cannot be applied
  lift       lifts your objection
  check      reports the result of a check, such as that of CI
  export     exports the event log to a file, continues an interrupted export, and appends newer events
  evidence   makes a folder that shows who approved what in a period, and every exception

Commands for the database:
  migrate    creates or upgrades the tables; SQLite files get WAL mode
  status     prints the schema version; changes nothing
  print      prints the SQL of the pending migrations; changes nothing
  settle     stores the outcome of an interrupted apply, once you know it
  consumers  lists the durable consumers of the event log, moves one, or removes it
  verify     checks that what is stored is consistent; changes nothing

Commands for a folder of evidence:
  verify-evidence  checks that its files follow from each other; needs neither network nor database

  init       writes change-requests.mjs: an app with a table of flags, two users and the review page
  demo       serves the review page with demo data in memory, on this computer only

express-change-requests <command> --help prints the options and exit codes of a command; --version prints the version.
`

const demo: Command = {
  help: `express-change-requests demo: serves the review page with demo data in memory, on this computer only

It listens on 127.0.0.1, on port 4242 or else on a free one. Set the variable PORT to choose the port.
It takes no options and needs no database.
`,
  async run(args, io) {
    if (args.length > 0) throw new UsageError('demo takes no options. Set the port with the variable PORT.')
    const { runDemo } = await load('express', () => import('./demo/demo.js'))
    await runDemo(io)
    return 0
  },
}

/** Loaded when it is called: a command needs only its own packages. */
const commands: { readonly [name: string]: () => Promise<Command> } = {
  propose: async () => (await import('./api/propose.js')).propose,
  show: async () => (await import('./api/change-request.js')).show,
  review: async () => (await import('./api/change-request.js')).review,
  apply: async () => (await import('./api/change-request.js')).apply,
  cancel: async () => (await import('./api/change-request.js')).cancel,
  object: async () => (await import('./api/change-request.js')).object,
  lift: async () => (await import('./api/change-request.js')).lift,
  check: async () => (await import('./api/check.js')).check,
  export: async () => (await import('./api/export/export.js')).exportLog,
  evidence: async () => (await import('./api/evidence/evidence.js')).evidence,
  'verify-evidence': async () => (await import('./api/evidence/verify-evidence.js')).verifyEvidence,
  migrate: async () => (await import('./database/schema.js')).migrate,
  status: async () => (await import('./database/schema.js')).status,
  print: async () => (await import('./database/schema.js')).print,
  settle: async () => (await import('./database/settle.js')).settle,
  consumers: async () => (await import('./database/consumers.js')).consumers,
  verify: async () => (await import('./database/verify.js')).verify,
  init: async () => (await import('./init.js')).init,
  demo: async () => demo,
}

export async function runCommand(args: readonly string[], io: ProcessIo): Promise<number> {
  const [name = '', ...rest] = args
  const isKnown = Object.hasOwn(commands, name)
  try {
    if (name === '--help' || name === '-h') return print(io, help)
    if (name === '--version' || name === '-v') return print(io, `${manifest.version}\n`)
    const command = isKnown ? await commands[name]?.() : undefined
    if (command === undefined) {
      const problem = name === '' ? 'The command is missing.' : `Unknown command "${name}".`
      throw new UsageError(`${problem} Use one of ${Object.keys(commands).join(', ')}.`)
    }
    if (rest.includes('--help') || rest.includes('-h')) return print(io, command.help)
    return await command.run(rest, io)
  } catch (thrown) {
    const connections = [...args, io.env.DATABASE_URL ?? '', io.env.CHANGE_REQUESTS_URL ?? '']
    io.error(`${withoutSecrets(describeError(thrown), connections)}\n`)
    if (!isUsageError(thrown)) return 1
    io.error(`See express-change-requests ${isKnown ? `${name} ` : ''}--help.\n`)
    return 2
  }
}

function print(io: ProcessIo, text: string): number {
  io.out(text)
  return 0
}

/** Removes the passwords of these connections and URLs from a text, also if they are percent-encoded. */
export function withoutSecrets(text: string, connections: readonly string[]): string {
  return connections.flatMap(secretsOf).reduce((clean, secret) => clean.replaceAll(secret, '***'), text)
}

/** Without a URL parser, because the URL may be malformed. */
function secretsOf(connection: string): string[] {
  const [, inside] = /^[^/]*:\/\/[^:/?#]*:(.*)@/.exec(connection) ?? []
  const [, asParameter] = /[?&]password=([^&#]*)/.exec(connection) ?? []
  return [inside, asParameter]
    .filter((secret) => secret !== undefined && secret !== '')
    .flatMap((secret) => [secret as string, decoded(secret as string)])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
