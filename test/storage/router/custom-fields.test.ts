import { apiKeys, type ChangeRequestRouterOptions, type CustomFields, type Grant, verifyStorage } from '../../../src'
import { enable, people, startApp, type TestApp } from '../../support/app'
import { checkedFetch } from '../../support/openapi-answers'
import { flagsWereOff, rewrite } from '../../support/rewrite'
import { stores } from '../fixtures'

const grants = (...permissions: string[]): Grant[] =>
  permissions.map((permission) => ({ permission, project: 'shop', environment: 'production' }))
const reviewer = grants('APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST')
const callers = {
  ann: people.ann,
  ben: { ...people.ben, grants: [...grants('CREATE_CHANGE_REQUEST'), ...reviewer] },
  eve: { ...people.eve, grants: [...grants('CREATE_CHANGE_REQUEST'), ...reviewer] },
}
type Who = keyof typeof callers

const customFields: CustomFields = {
  schema: {
    type: 'object',
    properties: {
      ticket: { type: 'string', title: 'Ticket', maxLength: 20, pattern: '^[A-Z]+-[0-9]+$' },
      risk: { type: 'string', maxLength: 10, enum: ['low', 'high'], default: 'low' },
      link: { type: 'string', maxLength: 500, format: 'uri' },
      until: { type: 'string', maxLength: 10, format: 'date' },
      points: { type: 'integer', minimum: 0, maximum: 100 },
      tested: { type: 'boolean' },
    },
    required: ['ticket', 'tested'],
    additionalProperties: false,
  },
  searchable: 'ticket',
}
const complete = { ticket: 'ABC-1', tested: true }

describe.each(stores)('custom fields on $name', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>
  let app: TestApp

  beforeAll(async () => {
    opened = await open()
    app = await started()
  })
  afterAll(async () => {
    await app.close()
    await opened.close()
  })
  // Each test begins without an open change request.
  afterEach(async () => {
    for (const who of ['ann', 'ben', 'eve'] as const) {
      const { body } = await send(who, 'GET', '/projects/shop/change-requests/pending')
      for (const { id } of body) await move(who, id, 'Cancelled')
    }
  })

  const started = (options: Partial<ChangeRequestRouterOptions> = {}) =>
    startApp({
      storage: opened.storage,
      authenticate: apiKeys(Object.values(callers)),
      ...{ recordOnly: true, schedule: 'elsewhere', emergency: true, customFields },
      ...options,
    })

  async function send(who: Who, method: string, path: string, body?: unknown, headers = {}, to = app) {
    const response = await checkedFetch()(`http://127.0.0.1:${to.port}/api/admin${path}`, {
      method,
      headers: { Authorization: callers[who].key, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      etag: response.headers.get('etag') ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  const of = (id: number, below = '') => `/projects/shop/change-requests/${id}${below}`
  const move = (who: Who, id: number, state: string, more: object = {}, to = app) =>
    send(who, 'PUT', of(id, '/state'), { state, ...more }, {}, to)
  const set = (id: number, values: unknown, who: Who = 'ben', headers = {}) =>
    send(who, 'PUT', of(id, '/custom-fields'), values, headers)
  const reviewOf = async (id: number, who: Who = 'ben', to = app) =>
    (await send(who, 'GET', of(id, '/review'), undefined, {}, to)).body
  const codes = (body: { details: { code: string }[] }) => body.details.map(({ code }) => code)
  const eventsOf = async (id: number) => (await send('ann', 'GET', of(id, '/timeline'))).body.events
  async function draft(values?: object): Promise<number> {
    const { body } = await app.propose(enable(), { key: callers.ben.key })
    if (values !== undefined) expect((await set(body.id, values)).status).toBe(200)
    return body.id
  }
  async function inReview(values: object = complete): Promise<number> {
    const id = await draft(values)
    expect((await move('ben', id, 'In review')).status).toBe(200)
    return id
  }

  it('are set, replaced and emptied; an equal value keeps who set it', async () => {
    const id = await draft()
    const empty = await reviewOf(id)
    expect(empty.customFields).toEqual({
      ...{ schema: customFields.schema, values: {}, missing: ['ticket', 'tested'], setBy: {} },
    })
    const values = { ...complete, risk: 'high', link: 'https://tickets.example/1', until: '2026-11-27', points: 7 }
    const first = await set(id, values)
    expect(first.body.customFields).toEqual((await reviewOf(id)).customFields)
    expect(first.body.customFields).toMatchObject({ values, missing: [] })
    expect(first.body.customFields.setBy.ticket).toEqual({
      person: expect.objectContaining({ id: 2 }),
      at: '2026-03-04T12:00:00.000Z',
    })
    const second = await set(id, values)
    expect([second.etag, second.body]).toEqual([first.etag, first.body])
    const third = await set(id, { ticket: 'ABC-2' })
    expect(third.body.customFields).toMatchObject({ values: { ticket: 'ABC-2' }, missing: ['tested'] })
    expect(third.etag).not.toBe(second.etag)
    const last = await set(id, {})
    expect([last.body.customFields.values, last.body.customFields.setBy]).toEqual([{}, {}])
    expect((await reviewOf(id)).digest).toBe(empty.digest)
  })

  it('are refused if they do not fit, each with its path', async () => {
    const id = await draft()
    const bad = {
      ...{ ticket: null, risk: 'none', link: 'no link', until: '2026-13-01', points: 101, tested: 'yes' },
      ...{ other: 1, constructor: 'x' },
    }
    const { status, body } = await set(id, bad)
    expect(status).toBe(400)
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(
      ['ticket', 'risk', 'link', 'until', 'points', 'tested', 'other', 'constructor'].map((name) =>
        name === 'risk' ? 'risk' : `/body/${name}`,
      ),
    )
    for (const other of [
      [],
      [complete],
      { ticket: ['ABC-1'] },
      { ticket: {} },
      { points: 1.5 },
      { link: 'x'.repeat(501) },
    ]) {
      expect((await set(id, other)).status).toBe(400)
    }
    expect((await reviewOf(id)).customFields.values).toEqual({})
  })

  it('are set by the author alone, before the approval', async () => {
    const id = await inReview()
    expect((await set(id, complete, 'eve')).body).toMatchObject({ name: 'OperationDeniedError' })
    const ofAdmin = await set(id, complete, 'ann')
    expect([ofAdmin.status, codes(ofAdmin.body)]).toEqual([403, ['not-the-author']])
    expect((await set(id, complete, 'ben', { 'If-Match': '"1-1"' })).status).toBe(412)
    await move('eve', id, 'Approved')
    const late = await set(id, { ...complete, risk: 'low' })
    expect([late.status, codes(late.body)]).toEqual([409, ['wrong-state']])
    await move('ben', id, 'Cancelled')
    expect(codes((await set(id, complete)).body)).toEqual(['wrong-state'])
    expect((await set(await draft(), complete, 'eve')).status).toBe(404)
  })

  it('are needed for a submit, and each missing one is named', async () => {
    const id = await draft({ risk: 'low' })
    const { steps } = await reviewOf(id)
    const submit = steps.find(({ step }: { step: string }) => step === 'submit')
    const refused = await move('ben', id, 'In review')
    expect([refused.status, codes(refused.body)]).toEqual([409, Array(2).fill('missing-custom-fields')])
    expect(refused.body.details.map(({ message }: { message: string }) => message)).toEqual([
      'The custom field "ticket" is required. Set it first.',
      'The custom field "tested" is required. Set it first.',
    ])
    expect(submit.missing).toEqual(refused.body.details)
    await set(id, complete)
    expect((await move('ben', id, 'In review')).status).toBe(200)
    const sent = (await eventsOf(id)).find(({ type }: { type: string }) => type === 'change-request-sent-to-review')
    expect(sent.data).toEqual({ changeRequestId: id, customFields: complete })
  })

  it('remove approvals and a preset schedule in review when they change, and not when they are equal', async () => {
    await send('ann', 'PUT', '/projects/shop/environments/production/change-requests/config', {
      ...{ changeRequestsEnabled: true, requiredApprovals: 2 },
    })
    const id = await inReview()
    await move('eve', id, 'Approved')
    await send('ann', 'PUT', of(id, '/scheduling'), { scheduledAt: 'approval' })
    const before = await reviewOf(id)
    const events = (await eventsOf(id)).length
    expect((await set(id, { tested: true, ticket: 'ABC-1' })).etag).toBe(`"${before.revision}"`)
    const emptied = await set(id, { ticket: 'ABC-1' })
    expect([emptied.status, codes(emptied.body)]).toEqual([409, ['missing-custom-fields']])
    expect((await reviewOf(id)).votes).toEqual(before.votes)
    await set(id, { ...complete, ticket: 'ABC-2' })
    const after = await reviewOf(id)
    expect([after.state, after.changeRequest.approvals, after.votes[0].current]).toEqual(['In review', [], false])
    expect(after.voidedApprovals).toMatchObject([{ by: { id: 3 }, cause: 'edit', causedBy: { id: 2 } }])
    expect(after.presetSchedule.withdrawn).toMatchObject({ cause: 'edit', by: { id: 2 } })
    expect(after.digest).not.toBe(before.digest)
    const approved = await move('eve', id, 'Approved', { digest: before.digest }, app)
    expect([approved.status, codes(approved.body)]).toEqual([412, ['outdated-revision']])
    // Setting it back brings nothing back.
    await set(id, complete)
    const back = await reviewOf(id)
    expect([back.digest, back.changeRequest.approvals]).toEqual([before.digest, []])
    expect((await eventsOf(id)).length).toBe(events)
    await send('ann', 'PUT', '/projects/shop/environments/production/change-requests/config', {
      ...{ changeRequestsEnabled: true, requiredApprovals: 1 },
    })
  })

  it('are found by the searchable one, and stand in the event of the apply', async () => {
    const id = await inReview({ ...complete, ticket: 'FIND-77', link: 'https://hidden.example/x' })
    const found = async (query: string) =>
      (await send('eve', 'GET', `/reviews?query=${query}`)).body.reviews.map((one: { id: number }) => one.id)
    expect([await found('find-77'), await found('hidden')]).toEqual([[id], []])
    await set(id, { ...complete, ticket: 'LATER-1' })
    expect([await found('find-77'), await found('later')]).toEqual([[], [id]])
    await move('eve', id, 'Approved')
    expect((await move('eve', id, 'Applied')).status).toBe(200)
    const applied = (await eventsOf(id)).find(({ type }: { type: string }) => type === 'change-request-applied')
    expect(applied.data.customFields).toEqual({ ...complete, ticket: 'LATER-1' })
    expect((await reviewOf(id)).customFields.values).toEqual({ ...complete, ticket: 'LATER-1' })
  })

  it('are copied where they still fit, start empty in a revert, and are not checked in an emergency', async () => {
    const id = await inReview({ ...complete, risk: 'high' })
    await move('ben', id, 'Cancelled')
    const { maxLength, ...risk } = customFields.schema.properties.risk as { maxLength: number }
    const narrower = await started({
      customFields: {
        schema: {
          ...customFields.schema,
          properties: {
            ...customFields.schema.properties,
            risk: { ...risk, type: 'string', maxLength, enum: ['low'] },
          },
        },
      },
    })
    const copied = await send('eve', 'POST', of(id, '/copy'), undefined, {}, narrower)
    await narrower.close()
    const review = await reviewOf(copied.body.id, 'eve')
    expect(review.customFields.values).toEqual(complete)
    expect(review.customFields.setBy.ticket.person).toMatchObject({ id: 3 })
    await move('eve', copied.body.id, 'In review')
    await move('ben', copied.body.id, 'Approved')
    await move('ben', copied.body.id, 'Applied')
    await rewrite(opened.storage, copied.body.id, flagsWereOff)
    const reverted = await send('ben', 'POST', of(copied.body.id, '/revert'), {})
    expect((await reviewOf(reverted.body.id)).customFields.values).toEqual({})
    expect(codes((await move('ben', reverted.body.id, 'In review')).body)).toEqual(
      Array(2).fill('missing-custom-fields'),
    )
    const emergency = { emergency: { reason: 'Customers cannot pay.' } }
    const urgent = (await app.propose(enable('urgent'), { key: callers.ann.key })).body.id
    expect((await move('ann', urgent, 'Applied', emergency)).body).toMatchObject({ state: 'Applied' })
    expect(JSON.stringify(await eventsOf(urgent))).not.toContain('customFields')
  })

  it('show what no longer fits a changed schema; only a submit that is still to come needs it', async () => {
    const sent = await inReview()
    const changed = await started({
      customFields: {
        schema: {
          type: 'object',
          properties: {
            ticket: { type: 'string', maxLength: 3 },
            team: { type: 'string', maxLength: 20 },
          },
          required: ['team'],
          additionalProperties: false,
        },
      },
    })
    const { customFields: shown } = await reviewOf(sent, 'ben', changed)
    expect([shown.values, shown.missing]).toEqual([complete, ['team', 'ticket', 'tested']])
    expect((await move('eve', sent, 'Approved', {}, changed)).body.state).toBe('Approved')
    expect((await move('eve', sent, 'Applied', {}, changed)).body.state).toBe('Applied')
    const late = await draft(complete)
    const refused = await move('ben', late, 'In review', {}, changed)
    expect(codes(refused.body)).toEqual(Array(3).fill('missing-custom-fields'))
    expect(refused.body.details[1].message).toBe(
      'The value of the custom field "ticket" no longer fits. Set the custom fields again.',
    )
    await changed.close()
  })

  it('remove the reports of checks, and leave a consistent storage', async () => {
    const checking = await started({ checks: [{ name: 'ci' }] })
    const id = await inReview()
    const { digest } = await reviewOf(id)
    const reported = await send('ann', 'PUT', of(id, '/checks/ci'), { status: 'passed', digest }, {}, checking)
    expect(reported.body.checks).toMatchObject([{ status: 'passed' }])
    await set(id, { ...complete, ticket: 'ABC-3' })
    await set(id, complete)
    const { checks } = await reviewOf(id, 'ben', checking)
    expect(checks).toMatchObject([{ status: null }])
    await checking.close()
    const { findings } = await verifyStorage(opened.storage)
    expect(findings).toEqual([])
  })

  it('change nothing without the option', async () => {
    const plain = await started({ customFields: null })
    const { body } = await plain.propose(enable(), { key: callers.ben.key })
    const put = await send('ben', 'PUT', of(body.id, '/custom-fields'), {}, {}, plain)
    expect([put.status, put.body.name]).toEqual([404, 'NotFoundError'])
    const review = await reviewOf(body.id, 'ben', plain)
    expect(review.customFields).toBe(null)
    expect(review.digest).toBe((await reviewOf(body.id)).digest)
    expect((await move('ben', body.id, 'In review', {}, plain)).status).toBe(200)
    await plain.close()
  })
})
