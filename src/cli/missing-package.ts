/** An error with the command that installs a package, if the error is that it is missing. */
export function missingPackage(name: string, error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: string }
  const isMissing = /MODULE_NOT_FOUND$/.test(String(code)) || message?.startsWith('Knex: run')
  return isMissing
    ? new Error(`The package "${name}" is missing. Install it next to this package: npm install ${name}`)
    : error
}
