const { resolve } = require('node:path')
const { parseArgs } = require('node:util')

/** An invalid setting, with a message for the operator of the front. */
class SettingError extends Error {}

const help = `Usage: express-change-requests-unleash [options]

Review for an open-source Unleash server. Two environment variables are required, which are no options
because other users of the machine can read the options of a process:

  DATABASE_URL                the Postgres database of the change requests
  UNLEASH_TOKEN               an admin token of the Unleash server that nothing else uses

Options, and the environment variables that do the same:

  --unleash-url <url>         UNLEASH_URL   the Unleash server, without a path
  --host <address>            HOST          the address to listen on (127.0.0.1)
  --port <number>             PORT          the port; 0 picks a free one (4242)
  --public-url <url>          PUBLIC_URL    the public URL of the front (from host and port)
  --config <file>                           roles, groups and rules: a .json or .js file
  --no-banner                               no banner in the page of the Unleash server
  --allow-unknown-version                   start with an Unleash version that was not tested
  --help
`

const options = {
  'unleash-url': { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'public-url': { type: 'string' },
  config: { type: 'string' },
  'no-banner': { type: 'boolean' },
  'allow-unknown-version': { type: 'boolean' },
  help: { type: 'boolean' },
}

/** The keys of a config file: options of `startFront`. */
const configKeys = ['roles', 'groups', 'approvalRules']

/**
 * Reads the options and the environment variables; empty variables are ignored.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {object | undefined} Options of `startFront`; undefined for `--help`.
 * @throws {SettingError}
 */
function readSettings(args, env) {
  const flags = readFlags(args)
  if (flags.help) return undefined
  return {
    url: readUrl('UNLEASH_URL or --unleash-url', flags['unleash-url'] ?? env.UNLEASH_URL),
    token: readSecret('UNLEASH_TOKEN', env),
    databaseUrl: readSecret('DATABASE_URL', env),
    ...readAddress(env, flags),
    ...(flags.config && readConfig(flags.config)),
    banner: !flags['no-banner'],
    allowUnknownVersion: flags['allow-unknown-version'] === true,
  }
}

/** Where the front listens. */
function readAddress(env, flags = {}) {
  const publicUrl = flags['public-url'] ?? env.PUBLIC_URL
  return {
    host: flags.host || env.HOST || '127.0.0.1',
    port: readPort(flags.port ?? (env.PORT || '4242')),
    publicUrl: publicUrl ? readUrl('PUBLIC_URL or --public-url', publicUrl) : undefined,
  }
}

function readFlags(args) {
  try {
    return parseArgs({ args, options }).values
  } catch {
    // The message of the parser may contain the value, which can be a secret.
    throw new SettingError('The options are invalid: see --help. DATABASE_URL and UNLEASH_TOKEN are no options.')
  }
}

function readSecret(name, env) {
  if (env[name]) return env[name]
  throw new SettingError(`Set the environment variable ${name}.`)
}

function readPort(text) {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new SettingError(`PORT or --port must be a number from 0 to 65535, not ${JSON.stringify(text)}.`)
}

function readUrl(name, text) {
  const address = URL.canParse(text) ? new URL(text) : undefined
  const isRoot = address !== undefined && `${address.pathname}${address.search}${address.hash}` === '/'
  if (isRoot && ['http:', 'https:'].includes(address.protocol)) return address.origin
  throw new SettingError(`${name} must be an http or https URL without a path.`)
}

function readConfig(file) {
  const config = load(file)
  const unknown = Object.keys(config).find((key) => !configKeys.includes(key))
  if (unknown === undefined) return config
  throw new SettingError(
    `${file} has the unknown key ${JSON.stringify(unknown)}; the keys are ${configKeys.join(', ')}.`,
  )
}

function load(file) {
  try {
    return require(resolve(file))
  } catch (error) {
    throw new SettingError(`The file ${file} of --config cannot be read: ${error.message.split('\n', 1)[0]}`)
  }
}

module.exports = { SettingError, help, readAddress, readSettings }
