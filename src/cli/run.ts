import manifest from 'express-change-requests/package.json'
import { type Command, describeError, isUsageError, type ProcessIo, UsageError } from './command'
import { withoutSecrets } from './secrets'

export const help = `express-change-requests: change requests from the command line

Commands for the API of a router; they need the variables CHANGE_REQUESTS_URL and CHANGE_REQUESTS_KEY:
  propose    proposes the changes of a file; can submit them, wait for the decision, and apply them
  show       prints a change request
  review     prints what a change request is missing, and the steps that you can take
  apply      applies a change request
  cancel     cancels a change request
  export     exports the event log to a file, continues an interrupted export, and appends newer events

Commands for the database:
  migrate    creates or upgrades the tables; SQLite files get WAL mode
  status     prints the schema version; changes nothing
  print      prints the SQL of the pending migrations; changes nothing
  settle     stores the outcome of an interrupted apply, once you know it
  consumers  lists the durable consumers of the event log, moves one, or removes it

  demo       serves the review page with demo data in memory, on this computer only

express-change-requests <command> --help prints the options and exit codes of a command; --version prints the version.
`

/** Loaded when it is called: a command needs only its own packages. */
const commands: { readonly [name: string]: () => Promise<Command> } = {
  propose: async () => (await import('./api/propose.js')).propose,
  show: async () => (await import('./api/show.js')).show,
  review: async () => (await import('./api/review.js')).review,
  apply: async () => (await import('./api/apply.js')).apply,
  cancel: async () => (await import('./api/cancel.js')).cancel,
  export: async () => (await import('./api/export/export.js')).exportLog,
  migrate: async () => (await import('./database/migrate.js')).migrate,
  status: async () => (await import('./database/status.js')).status,
  print: async () => (await import('./database/print.js')).print,
  settle: async () => (await import('./database/settle.js')).settle,
  consumers: async () => (await import('./database/consumers.js')).consumers,
  demo: async () => (await import('./demo-command.js')).demo,
}

/** Runs the command and returns its exit code. */
export async function runCommand(args: readonly string[], io: ProcessIo): Promise<number> {
  const [name = '', ...rest] = args
  const isKnown = Object.hasOwn(commands, name)
  try {
    if (name === '--help' || name === '-h') return print(io, help)
    if (name === '--version' || name === '-v') return print(io, `${manifest.version}\n`)
    const command = isKnown ? await commands[name]?.() : undefined
    if (command === undefined) throw new UsageError(unknown(name))
    if (rest.includes('--help') || rest.includes('-h')) return print(io, command.help)
    return await command.run(rest, io)
  } catch (thrown) {
    io.error(`${withoutSecrets(describeError(thrown), secretsIn(args, io))}\n`)
    if (!isUsageError(thrown)) return 1
    io.error(`See express-change-requests ${isKnown ? `${name} ` : ''}--help.\n`)
    return 2
  }
}

function print(io: ProcessIo, text: string): number {
  io.out(text)
  return 0
}

function unknown(name: string): string {
  const known = Object.keys(commands).join(', ')
  return name === ''
    ? `The command is missing. Use one of ${known}.`
    : `Unknown command "${name}". Use one of ${known}.`
}

function secretsIn(args: readonly string[], { env }: ProcessIo): string[] {
  return [...args, env.DATABASE_URL ?? '', env.CHANGE_REQUESTS_URL ?? '']
}
