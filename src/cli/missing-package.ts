/** An error with the command that installs a package, if the error is that it is missing. */
export function missingPackage(name: string, error: unknown): unknown {
  return /MODULE_NOT_FOUND$/.test(String((error as { code?: unknown }).code))
    ? new Error(`The package "${name}" is missing. Install it next to this package: npm install ${name}`)
    : error
}
