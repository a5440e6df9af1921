import express from 'express'
import { enable } from '../../support/app'
import { archives, fromBody, openGated } from './gated-app'

const own = '/api/admin/projects/shop/change-requests/1'

function open() {
  const opened = openGated((app, router) => {
    const gate = router.gate(fromBody, {
      propose: ({ params, body }) => enable(params.name as string, body.enabled as boolean) as never,
    })
    app.patch('/flags/:name', express.json(), gate, archives(router))
  })
  const write = (key: string, other: { flag?: string; body?: object } = {}) => {
    const { flag = 'checkout', body = { environment: 'production', enabled: true } } = other
    return opened.send('ann', 'patch', `/flags/${flag}`, body, { 'Idempotency-Key': key })
  }
  const setState = (state: string) => opened.send('ann', 'put', `${own}/state`, { state }).expect(200)
  const changes = async () => (await opened.send('ann', 'get', own).expect(200)).body.features[0].changes
  return { ...opened, write, setState, changes }
}

describe('router.gate with propose, retried with the same Idempotency-Key', () => {
  it('adds the change once, and responds like the first time', async () => {
    const { write, changes } = open()
    const first = await write('key-1').expect(202, { id: 1, path: own })
    const again = await write('key-1').expect(202, { id: 1, path: own })
    const replayed = [first, again].map(({ headers }) => headers['idempotency-replayed'])
    expect([replayed, (await changes()).length]).toEqual([[undefined, 'true'], 1])
  })

  it('responds the same if the draft has been approved meanwhile', async () => {
    const { write, setState, send } = open()
    await write('key-1').expect(202)
    await setState('In review')
    await send('cara', 'put', `${own}/state`, { state: 'Approved' }).expect(200)
    await write('key-1').expect(202, { id: 1, path: own })
    await write('key-2').expect(409)
  })

  it('adds the change once for two concurrent requests', async () => {
    const { write, changes } = open()
    const statuses = (await Promise.all([write('key-1'), write('key-1'), write('key-1')])).map(({ status }) => status)
    expect(statuses.every((status) => status === 202 || status === 409)).toBe(true)
    expect([statuses.includes(202), (await changes()).length]).toEqual([true, 1])
  })

  it.each([
    ['another value', { body: { environment: 'production', enabled: false } }],
    ['another environment', { body: { environment: 'staging', enabled: true } }],
    ['another flag', { flag: 'basket' }],
  ])('rejects %s with 422', async (_, other) => {
    const { write, changes } = open()
    await write('key-1').expect(202)
    const { status, body } = await write('key-1', other)
    expect([status, body.name]).toEqual([422, 'IdempotencyMismatchError'])
    expect(await changes()).toHaveLength(1)
  })

  it('rejects an invalid key', async () => {
    const { write } = open()
    await write('k'.repeat(256)).expect(400)
  })
})
