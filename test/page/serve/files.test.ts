import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import express from 'express'
import request from 'supertest'
import { reviewPage } from '../../../src/page'

const app = express().use('/review', reviewPage({ api: '/api/admin', signIn: 'key' }))
let script = ''

beforeAll(async () => {
  const { text } = await request(app).get('/review/')
  script = `/review/${/<script type="module" src="\.\/([^"]*)"/.exec(text)?.[1]}`
})

/** The body as it is on the wire, and the tag. */
async function fetchRaw(encoding: string): Promise<{ body: Buffer; tag: string | undefined }> {
  const server = createServer(app).listen(0)
  const { port } = server.address() as AddressInfo
  const sent = get({ port, path: script, headers: { 'Accept-Encoding': encoding } })
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await response.toArray())
  server.close()
  return { body, tag: response.headers.etag }
}

describe('a file of the page', () => {
  it('is cached permanently, because its name contains its hash', async () => {
    const { headers } = await request(app).get(script).expect(200)
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    expect(script).toMatch(/-[\w-]{8}\.js$/)
  })

  it('is not sent again to a client that has it', async () => {
    const { headers } = await request(app).get(script)
    await request(app).get(script).set('If-None-Match', String(headers.etag)).expect(304)
  })

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['br;q=0, gzip;q=0', undefined],
  ])('for a client that accepts %s is compressed as %s', async (accepted, encoding) => {
    const { headers } = await request(app).head(script).set('Accept-Encoding', accepted).expect(200)
    expect(headers['content-encoding']).toBe(encoding)
  })

  it('is the same in each encoding, with a different tag', async () => {
    const plain = await fetchRaw('identity')
    const gzip = await fetchRaw('gzip')
    const br = await fetchRaw('br')
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true)
    expect(new Set([plain.tag, gzip.tag, br.tag]).size).toBe(3)
  })

  it.each(['none.js', '', '../manifest.json', '%2e%2e/manifest.json', 'a/b.js', '__proto__'])(
    'called %j is none: 404, and not the document',
    async (name) => {
      const { text, headers } = await request(app).get(`/review/assets/${name}`).expect(404)
      expect(text).toBe('The file does not exist. Reload the page.\n')
      expect(headers['cache-control']).toBe('no-store')
    },
  )
})
