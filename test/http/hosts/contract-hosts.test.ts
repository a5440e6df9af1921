import express, { type Express } from 'express'
import { memoryStorage } from '../../../src'
import { describeHttp, type Runner } from '../../../src/testing'
import { startContractApp } from '../../support/contract-app'

/** Registers only the rules with these ids. */
const only = (ids: RegExp): Runner => ({
  describe,
  expect,
  it: (title, run) => (ids.test(title) ? it(title, run) : undefined),
})

type Started = Awaited<ReturnType<typeof startContractApp>>

const parsers: readonly (readonly [string, (app: Express) => void])[] = [
  ['express.json()', (app) => void app.use(express.json())],
  [
    'express.json(), urlencoded() and text()',
    (app) => void app.use(express.json(), express.urlencoded({ extended: true }), express.text()),
  ],
  ['express.json() that takes everything for JSON', (app) => void app.use(express.json({ type: () => true }))],
]

describe.each(parsers)('a host whose %s comes before the router, and that declares it,', (_, before) => {
  let app: Started
  beforeAll(async () => {
    app = await startContractApp(memoryStorage(), { recordOnly: true }, { before })
  })
  afterAll(() => app.close())

  // The responses of the host are not in the document.
  describeHttp(only(/^CR-[09]/), async () => ({ ...app.host, fetch, parsesBodies: true }))
})

describe.each(['shop', 'shop-in-production', 'changeRequestId', 'change-request-created', 'updateEnabled', '0'])(
  'a host whose flag is called %s, so that other texts contain it or it contains them,',
  (feature) => {
    let app: Started
    beforeAll(async () => {
      app = await startContractApp(memoryStorage(), { recordOnly: true })
    })
    afterAll(() => app.close())

    describeHttp(only(/^CR-8/), async () => ({ ...app.host, feature }))
  },
)

describe('a host that accepts every name of a flag, and whose flag has one that must be escaped,', () => {
  let app: Started
  beforeAll(async () => {
    app = await startContractApp(memoryStorage(), { recordOnly: true, featureNames: 'any' })
  })
  afterAll(() => app.close())

  // The published document is of the default.
  describeHttp(only(/^CR-[018]/), async () => ({ ...app.host, fetch, feature: 'team/checkout, 100%2C β?#* "<b>' }))
})
