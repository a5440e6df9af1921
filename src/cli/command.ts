import { type ParseArgsConfig, parseArgs } from 'node:util'

export interface ProcessIo {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
  error(text: string): void
  input(): Promise<string>
  stopped(): Promise<unknown>
}

export interface Command {
  /** Fits one screen. */
  readonly help: string
  run(args: readonly string[], io: ProcessIo): Promise<number>
}

/** Invalid arguments: the command exits with 2. */
export class UsageError extends Error {}

export function parseOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** True for invalid arguments; a storage throws a TypeError for an invalid option. */
export function isUsageError(thrown: unknown): boolean {
  return thrown instanceof UsageError || (thrown instanceof TypeError && / option "/.test(thrown.message))
}

/** If a host name has several addresses, the reasons are in the inner errors. */
export function describeError(thrown: unknown): string {
  const { message, errors, code } = thrown as { message?: string; errors?: readonly Error[]; code?: string }
  return message || errors?.map((error) => error.message).join('; ') || code || String(thrown)
}

/** Without control characters: the text of another user must not control the terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}

/** Imports something that needs a package. @throws Error with the command that installs the package, if it is missing */
export async function load<Module>(name: string, from: () => Promise<Module>): Promise<Module> {
  try {
    return await from()
  } catch (error) {
    if (!/MODULE_NOT_FOUND$/.test(String((error as { code?: unknown }).code))) throw error
    throw new Error(`The package "${name}" is missing. Install it next to this package: npm install ${name}`)
  }
}
