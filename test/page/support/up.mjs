import chromium from '@sparticuz/chromium'
import postgresUp from '../../support/databases/postgres-up.mjs'

/** Starts Postgres, and unpacks Chromium once for all test files: two that unpack at the same time spoil it. */
export default async function up() {
  await postgresUp()
  const packed = process.platform === 'linux' && process.arch === 'x64'
  if (packed) process.env.CHROMIUM_PATH ??= await chromium.executablePath()
}
