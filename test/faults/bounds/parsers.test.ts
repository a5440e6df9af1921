import express5, { type Express, type RequestHandler } from 'express'
import { memoryStorage } from '../../../src'
import { enable, type startApp } from '../../support/app'

type ExpressModule = typeof express5
type Start = typeof startApp

const express4: ExpressModule = jest.requireActual('express4')
const majors = { 'Express 4': express4, 'Express 5': express5 }

/** `startApp` with a router that is made by this Express. */
function starterWith(express: ExpressModule): Start {
  let start: Start | undefined
  jest.isolateModules(() => {
    jest.doMock('express', () => express)
    start = jest.requireActual<{ startApp: Start }>('../../support/app').startApp
  })
  return start as Start
}

const parsers: readonly [string, (express: ExpressModule) => RequestHandler[]][] = [
  ['none', () => []],
  ['json', ({ json }) => [json()]],
  ['json that takes any value', ({ json }) => [json({ strict: false })]],
  ['json twice', ({ json }) => [json(), json()]],
  ['urlencoded', ({ urlencoded }) => [urlencoded({ extended: true })]],
  ['urlencoded and json', ({ json, urlencoded }) => [urlencoded({ extended: true }), json()]],
  ['json and urlencoded', ({ json, urlencoded }) => [json(), urlencoded({ extended: false })]],
  ['text for texts', ({ text }) => [text()]],
  ['raw for bytes', ({ raw }) => [raw()]],
]

const unsupported: typeof parsers = [
  ['text for all', ({ text }) => [text({ type: '*/*' })]],
  ['raw for all', ({ raw }) => [raw({ type: '*/*' })]],
]

const places = Object.entries(majors).flatMap(([hostName, host]) =>
  Object.entries(majors).map(([routerName, router]) => ({ hostName, host, start: starterWith(router), routerName })),
)

describe.each(places)('a router of $routerName in a host of $hostName that parses bodies by', ({ host, start }) => {
  async function post(parse: (express: ExpressModule) => RequestHandler[], body: object) {
    const before = (app: Express) => {
      for (const parser of parse(host)) app.use(parser)
    }
    const app = await start({ storage: memoryStorage() }, { app: host(), before })
    try {
      return await app.propose(body)
    } finally {
      await app.close()
    }
  }

  it.each(parsers)('%s takes a change, and refuses an empty list', async (_, parse) => {
    const answer = await post(parse, enable('checkout'))
    expect([answer.status, answer.body.features?.[0].name]).toEqual([200, 'checkout'])
    expect((await post(parse, [])).body.details).toEqual([{ path: '/body', message: 'must hold at least one change' }])
  })

  it.each(unsupported)('%s says in a 500 that this is not supported', async (_, parse) => {
    const answer = await post(parse, enable('checkout'))
    expect([answer.status, answer.body.message]).toEqual([
      500,
      'The host read the body before the router, and not as JSON.',
    ])
  })
})
