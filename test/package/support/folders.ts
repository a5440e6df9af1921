import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The root of the package. */
export const root = resolve(__dirname, '../../..')

const made: string[] = []

/** A new folder outside the package, to be removed by `removeFolders`. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'change-requests-'))
  made.push(folder)
  return folder
}

export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
}
