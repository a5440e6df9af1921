// Applies changes with examples/remote-gateway, or asks for the outcome, in a process that dies at a step. Its argument is JSON:
//   knex     how Knex opens the database of the ledger
//   url      of the flag server
//   method, args   of the gateway
//   dieAt    the number of the step: each statement and each request has one before and one after it; none if it is left out
const { knex: createKnex } = require('knex')
const { remoteGateway } = require('../../../examples/remote-gateway/gateway.js')

const { knex: options, url, method, args, dieAt } = JSON.parse(process.argv[2])
const knex = createKnex(options)

let steps = 0
function step() {
  steps += 1
  if (steps !== dieAt) return
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment, in which nothing else must happen.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)
}

knex.on('query', step).on('query-response', step)
const { fetch } = globalThis
globalThis.fetch = async (...request) => {
  step()
  const response = await fetch(...request)
  step()
  return response
}

remoteGateway(knex, url)
  [method](...args)
  .catch((error) => error.name)
  .then(async (result) => {
    console.log(JSON.stringify({ result, steps }))
    await knex.destroy()
  })
