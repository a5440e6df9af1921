import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The packages that serve single tests of the nightly run: `npm ci --ignore-scripts --prefix test/nightly` installs them. */
export const nightlyModules = join(__dirname, '../nightly/node_modules')

/** `it`, skipped where they are not installed. */
export const itWithNightlyModules = existsSync(nightlyModules) ? it : it.skip

/** `describe`, skipped where they are not installed. */
export const describeWithNightlyModules = existsSync(nightlyModules) ? describe : describe.skip
