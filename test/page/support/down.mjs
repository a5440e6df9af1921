import postgresDown from '../../support/databases/postgres-down.mjs'

export default async function down() {
  await globalThis.__browser?.close()
  await postgresDown()
}
