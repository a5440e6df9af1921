import express from 'express'
import { type ApiKey, apiKeys, createChangeRequestRouter, memoryStorage } from 'express-change-requests'
import { createClient } from 'express-change-requests/client'
import { fromKysely } from 'express-change-requests/handles'
import { knexStorage } from 'express-change-requests/knex'
import openapi from 'express-change-requests/openapi.json'
import manifest from 'express-change-requests/package.json'
import { reviewPage } from 'express-change-requests/page'
import { postgresStorage } from 'express-change-requests/postgres'
import changeSchema from 'express-change-requests/schemas/change.json'
import { sqliteStorage } from 'express-change-requests/sqlite'
import { describeStorage } from 'express-change-requests/testing'
import type { ChangeRequestView, TitleUpdate } from 'express-change-requests/types'
import { webhooks } from 'express-change-requests/webhooks'
import knex from 'knex'

const ann: ApiKey = { key: 'user:a-key-of-this-host', user: { id: 1 }, grants: [{ permission: 'ADMIN' }] }
const storage = knexStorage({ knex: knex({ client: 'pg' }), tablePrefix: 'cr_' })
const app = express()
const router = createChangeRequestRouter({ storage, authenticate: apiKeys([ann]) })
for (const consumer of webhooks({ targets: [] })) router.events.consume(consumer)
app.use(router)
app.use('/review', reviewPage({ api: '/api/admin', signIn: 'key' }))

describeStorage satisfies (...args: never[]) => void
const title: TitleUpdate = { title: openapi.info.title + manifest.version + changeSchema.title }

export async function show(): Promise<ChangeRequestView> {
  const client = createClient({ api: '/api/admin', key: ann.key })
  await client.setTitle({ project: 'shop', id: 1 }, title.title)
  return (await client.changeRequest({ project: 'shop', id: 1 })).body
}

// @ts-expect-error: `any` would accept these
createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => null, basepath: '/x' })
// @ts-expect-error
knexStorage({ tableprefix: 'cr_' })
// @ts-expect-error
postgresStorage({ tableprefix: 'cr_' })
// @ts-expect-error
sqliteStorage({ tableprefix: 'cr_' })
// @ts-expect-error
fromKysely({})
// @ts-expect-error
createClient({ url: '/api/admin' })
// @ts-expect-error
reviewPage({ api: '/api/admin', signIn: 'cookie' })
// @ts-expect-error
webhooks({ targets: [{ name: 'audit' }] })
// @ts-expect-error
describeStorage(1)
// @ts-expect-error
title.title satisfies number
