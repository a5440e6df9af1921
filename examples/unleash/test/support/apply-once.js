const knex = require('knex')
const { unleashGateway } = require('../../gateway')

/** A process that runs one apply, with the parameters in its environment variables. */
async function main() {
  const { databaseUrl, changes, context, ...options } = JSON.parse(process.env.APPLICATION)
  const handle = knex({ client: 'pg', connection: databaseUrl })
  try {
    await unleashGateway({ ...options, knex: handle }).apply(changes, context)
  } finally {
    await handle.destroy()
  }
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
})
