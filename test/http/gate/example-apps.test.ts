import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express, { type Express } from 'express'
import { createApp as createLmdbApp } from '../../../examples/custom-storage/app'
import { createApp as createOwnGatewayApp } from '../../../examples/own-gateway/app'
import { ungatedRoutes } from '../../../src/testing'
import { sqlite } from '../../support/databases'
import { authenticate } from './gated-app'

const { plant, planted } = require('../../support/gate/plant')

interface Opened {
  readonly app: Express
  close(): Promise<unknown>
}

/** The server and the mounts are run as processes: test/package/ungated.test.ts. */
const examples: Readonly<Record<string, () => Promise<Opened>>> = {
  async 'own-gateway'() {
    const { knex, close } = await sqlite.open()
    const { app } = await createOwnGatewayApp(knex, authenticate)
    return { app, close }
  },
  async 'custom-storage'() {
    const folder = mkdtempSync(join(tmpdir(), 'change-requests-lmdb-'))
    const { app, close } = await createLmdbApp(folder, { authenticate })
    return { app, close: () => close().then(() => rmSync(folder, { recursive: true })) }
  },
}

describe.each(Object.entries(examples))('ungatedRoutes in the app of examples/%s', (_, open) => {
  it('finds only the planted routes', async () => {
    const { app, close } = await open()
    const before = ungatedRoutes(app)
    plant(app, express)
    const after = ungatedRoutes(app)
    await close()
    expect([before, after]).toEqual([[], planted])
  })
})
