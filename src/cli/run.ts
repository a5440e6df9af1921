import manifest from 'express-change-requests/package.json'
import { type KnexStorageOptions, knexStorage } from '../storage/knex/index'
import { latestVersion } from '../storage/knex/migrations'
import { migrationSql } from '../storage/knex/migrations/migration-sql'
import { help, parseRequest, type Request, UsageError } from './arguments'
import { missing, open, type Target, toTarget } from './connect'
import { withoutSecrets } from './secrets'

/** The parts of its process that the command uses. */
export interface ProcessIo {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
  error(text: string): void
  /** Resolves when the process is asked to end. */
  stopped(): Promise<unknown>
}

/** Runs the command and returns its exit code. */
export async function runCommand(args: readonly string[], io: ProcessIo): Promise<number> {
  const { env, error } = io
  let connection = ''
  try {
    const request = parseRequest(args, env)
    if ('connection' in request) connection = request.connection
    return await run(request, io)
  } catch (thrown) {
    error(`${withoutSecrets(describe(thrown), connection)}\n`)
    if (!isUsage(thrown)) return 1
    error('See express-change-requests --help.\n')
    return 2
  }
}

/** True for invalid arguments; knexStorage throws a TypeError for an invalid option. */
function isUsage(thrown: unknown): boolean {
  return thrown instanceof UsageError || (thrown instanceof TypeError && / option "/.test(thrown.message))
}

/** If a host name has several addresses, the reasons are in the inner errors. */
function describe(thrown: unknown): string {
  const { message, errors, code } = thrown as { message?: string; errors?: readonly Error[]; code?: string }
  return message || errors?.map((error) => error.message).join('; ') || code || String(thrown)
}

async function run(request: Request, { env, out, stopped }: ProcessIo): Promise<number> {
  switch (request.command) {
    case 'help':
      out(help)
      return 0
    case 'version':
      out(`${manifest.version}\n`)
      return 0
    case 'demo': {
      const { runDemo } = await loadDemo()
      await runDemo({ port: env.PORT, out, stopped })
      return 0
    }
    case 'print offline': {
      const { client, names, from } = request
      out(migrationSql({ client, from, ...names }))
      return 0
    }
    default:
      return onDatabase(request, out)
  }
}

/** Loaded only here, because it needs Express, which the other commands do not. */
async function loadDemo() {
  try {
    return await import('./demo/demo.js')
  } catch (error) {
    throw missing('express', error)
  }
}

type DatabaseRequest = Extract<Request, { readonly connection: string }>

async function onDatabase(request: DatabaseRequest, out: (text: string) => void) {
  const { command, names } = request
  const target = toTarget(request.connection)
  try {
    const knex = await open(target, command === 'migrate')
    try {
      return await runOnStorage(request, target, { knex, ...names }, out)
    } finally {
      await knex.destroy()
    }
  } catch (thrown) {
    if (isUsage(thrown)) throw thrown
    throw new Error(`${target.name}: ${describe(thrown)}`)
  }
}

async function runOnStorage(
  request: DatabaseRequest,
  target: Target,
  options: KnexStorageOptions,
  out: (text: string) => void,
) {
  const { knex: _, ...names } = options
  const storage = knexStorage(options)
  const version = async () => {
    const { reachable, schemaVersion, compatible } = await storage.health()
    if (!reachable)
      throw new Error(
        'The tables cannot be read. Check the table prefix, the schema and the privileges of the database user.',
      )
    if (!compatible) await storage.eventHead({}).catch(refuseUnlessPending)
    return schemaVersion
  }
  const refuseUnlessPending = (error: unknown) => {
    if (storage.failureOf(error) !== 'unmigrated') throw error
  }
  const from = await version()
  switch (request.command) {
    case 'settle': {
      // Loaded only here, because it loads the schemas.
      const { settleInterrupted } = await import('./settle.js')
      out(`${target.name}: ${await settleInterrupted(storage, request.settle)}`)
      return 0
    }
    case 'print':
      out(migrationSql({ client: target.client, from, ...names }))
      return 0
    case 'migrate': {
      await storage.migrate()
      const to = await version()
      out(`${target.name}: schema version ${from === to ? to : `${from} to ${to}`}\n`)
      return 0
    }
    case 'status': {
      const pending = from < latestVersion
      out(
        `${target.name}: schema version ${from}, ${pending ? `${latestVersion} is needed: run migrate` : 'no pending migrations'}\n`,
      )
      return pending ? 3 : 0
    }
  }
}
