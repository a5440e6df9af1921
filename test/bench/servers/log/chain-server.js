const express = require('express')
const { generateKeyPairSync } = require('node:crypto')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { serve } = require('../../support/child')
const { mountOurs } = require('../../support/ours')
const { createEventChain, fileLedger } = require('../../../../dist/index.js')

const { config, prefixes } = JSON.parse(process.argv[2])
const app = express()
const storages = mountOurs(app, { config, prefixes })
const { privateKey } = generateKeyPairSync('ed25519')
const folder = mkdtempSync(join(tmpdir(), 'change-requests-chain-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const pageSize = 500
let ledgers = 0
let timer
let sealing = Promise.resolve()

const chainOf = (prefix) => {
  ledgers += 1
  return createEventChain({ storage: storages[prefix], ledger: fileLedger(join(folder, `${ledgers}`)), privateKey })
}

serve(app, {
  async sealAndVerify(prefix) {
    const chain = chainOf(prefix)
    const sealed = await timed(() => chain.seal())
    const verified = await timed(() => chain.verify())
    if (!verified.result.intact) throw new Error(verified.result.reason)
    return { events: sealed.result, sealMs: sealed.ms, verifyMs: verified.ms }
  },
  /** The same work without hashes and signatures. */
  async read(prefix) {
    return (await timed(() => readAll(storages[prefix]))).ms
  },
  /** Existing events are sealed first. */
  async sealEvery({ prefix, everyMs }) {
    const chain = chainOf(prefix)
    await chain.seal()
    timer = setInterval(() => {
      sealing = sealing.then(() => chain.seal())
    }, everyMs)
  },
  sealNoMore() {
    clearInterval(timer)
    return sealing.then(() => undefined)
  },
})

async function readAll(storage) {
  let after = 0
  for (let more = true; more; ) {
    const { count, lastId } = await storage.eventPage({}, { after }, pageSize)
    after = lastId
    more = count === pageSize
  }
}

async function timed(work) {
  const start = performance.now()
  const result = await work()
  return { result, ms: performance.now() - start }
}
