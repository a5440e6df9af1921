export default async function postgresDown() {
  await globalThis.__postgres?.stop()
}
