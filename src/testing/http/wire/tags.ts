import { type Api, errorOf, type HttpResponse, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

const tagOf = ({ headers }: HttpResponse): string => headers.get('etag') ?? 'no ETag'

const bound = (tag: string) => ({ headers: { 'If-Match': tag } })

const changePath = (api: Api, { id, features }: Json) => api.path(`${id}/changes/${features[0].changes[0].id}`)

type Write = (api: Api, current: Json, headers: Readonly<Record<string, string>>) => Promise<HttpResponse>

const inReviewWrites: readonly (readonly [string, Write])[] = [
  ['add', (api, _, headers) => api.propose(api.change(8), 'author', headers)],
  [
    'edit',
    (api, current, headers) => api.send('author', 'PUT', changePath(api, current), { body: api.change(9), headers }),
  ],
  ['discard a change', (api, current, headers) => api.send('author', 'DELETE', changePath(api, current), { headers })],
  ['approve', (api, { id }, headers) => api.move('reviewer', id, 'Approved', { headers })],
  ['reject', (api, { id }, headers) => api.move('reviewer', id, 'Rejected', { headers })],
  ['cancel', (api, { id }, headers) => api.move('author', id, 'Cancelled', { headers })],
  ['apply', (api, { id }, headers) => api.move('reviewer', id, 'Applied', { headers })],
  [
    'title',
    (api, { id }, headers) => api.send('author', 'PUT', api.path(`${id}/title`), { body: { title: 't' }, headers }),
  ],
  [
    'comment',
    (api, { id }, headers) =>
      api.send('reviewer', 'POST', api.path(`${id}/comments`), { body: { text: 't' }, headers }),
  ],
  [
    'approvers',
    (api, { id }, headers) =>
      api.send('author', 'PUT', api.path(`${id}/approvers`), { body: { reviewers: [] }, headers }),
  ],
]

export const tags: RuleGroup = {
  title: 'ETag and If-Match',
  rules: [
    must('CR-601', 'send the strong ETag "id-version" with every single change request', async (api, expect) => {
      const proposed = succeeded(await api.propose([api.change(0), api.change(1)]))
      const { id } = proposed.body
      const edited = succeeded(await api.send('author', 'PUT', changePath(api, proposed.body), { body: api.change(2) }))
      const moved = succeeded(await api.move('author', id, 'In review'))
      const read = succeeded(await api.get(api.path(id), 'reader'))
      expect([proposed, edited, moved, read].map(tagOf)).toEqual([1, 2, 3, 3].map((version) => `"${id}-${version}"`))
    }),

    must('CR-602', 'change the ETag with every write that changes it, and only then', async (api, expect) => {
      const { id } = await api.inReview({ approvals: 2 })
      const tag = async () => tagOf(await api.get(api.path(id)))
      const seen = [await tag(), await tag()]
      succeeded(await api.send('author', 'PUT', api.path(`${id}/title`), { body: { title: 'new' } }))
      seen.push(await tag())
      succeeded(await api.send('reader', 'POST', api.path(`${id}/comments`), { body: { text: 'well' } }))
      seen.push(await tag())
      succeeded(await api.move('reviewer', id, 'Approved'))
      seen.push(await tag())
      await api.move('reviewer', id, 'Approved')
      seen.push(await tag())
      expect(seen).toEqual([2, 2, 3, 4, 5, 5].map((version) => `"${id}-${version}"`))
    }),

    must(
      'CR-603',
      'accept a write whose If-Match has the current ETag, alone or in a list, or *',
      async (api, expect) => {
        const { id } = await api.draft()
        for (const wrap of [(tag: string) => tag, (tag: string) => `"1-0", ${tag} ,"x"`, () => '*']) {
          const tag = tagOf(await api.get(api.path(id)))
          const response = await api.propose(api.change(), 'author', { 'If-Match': wrap(tag) })
          expect([wrap(tag), response.status]).toEqual([wrap(tag), 200])
        }
      },
    ),

    must('CR-604', 'reject every write with an outdated If-Match with 412, and write nothing', async (api, expect) => {
      const { id } = await api.inReview({ changes: 2 })
      const stale = tagOf(await api.get(api.path(id)))
      succeeded(await api.send('author', 'PUT', api.path(`${id}/title`), { body: { title: 'altered' } }))
      const current = await api.read(id)
      for (const [what, write] of inReviewWrites) {
        const response = await write(api, current, { 'If-Match': stale })
        expect([what, ...errorOf(response)]).toEqual([what, 412, 'PreconditionFailedError'])
      }
      expect(await api.read(id)).toEqual(current)
    }),

    must('CR-605', 'reject discarding a draft that has changed with 412', async (api, expect) => {
      const first = await api.propose()
      const { id } = succeeded(await api.propose(api.change(1))).body
      const response = await api.send('author', 'DELETE', api.path(id), bound(tagOf(first)))
      expect(errorOf(response)).toEqual([412, 'PreconditionFailedError'])
      expect((await api.get(api.path(id))).status).toBe(200)
    }),

    must('CR-606', 'match no weak ETags and no malformed ones', async (api, expect) => {
      const { id } = await api.inReview()
      const tag = tagOf(await api.get(api.path(id)))
      for (const other of [`W/${tag}`, tag.replaceAll('"', ''), '""', 'nonsense']) {
        const response = await api.move('reviewer', id, 'Approved', bound(other))
        expect([other, ...errorOf(response)]).toEqual([other, 412, 'PreconditionFailedError'])
      }
    }),

    must('CR-607', 'match no ETag if a proposal would create a new change request', async (api, expect) => {
      for (const tag of ['*', '"1-1"']) {
        expect(errorOf(await api.propose(api.change(), 'author', { 'If-Match': tag }))).toEqual([
          412,
          'PreconditionFailedError',
        ])
      }
      expect((await api.get(api.path('pending'))).body).toEqual([])
    }),

    must('CR-608', 'accept only one of several writes with the same If-Match', async (api, expect) => {
      const { id } = await api.draft()
      const tag = tagOf(await api.get(api.path(id)))
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          api.send('author', 'PUT', api.path(`${id}/title`), { body: { title: `title ${index}` }, ...bound(tag) }),
        ),
      )
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(7).fill(412)])
    }),

    must('CR-609', 'check permissions before If-Match', async (api, expect) => {
      const { id } = await api.inReview()
      const stale = bound('"0-0"')
      expect(errorOf(await api.move('reader', id, 'Approved', stale))).toEqual([403, 'PermissionError'])
      expect(errorOf(await api.move('author', id, 'Approved', stale))).toEqual([403, 'OperationDeniedError'])
    }),

    must('CR-610', 'check the revision before the state', async (api, expect) => {
      const { id } = await api.inState('Cancelled')
      const response = await api.move('reviewer', id, 'Approved', bound('"0-0"'))
      expect(errorOf(response)).toEqual([412, 'PreconditionFailedError'])
    }),

    must('CR-611', 'accept only If-Match * for the settings, which have no ETag', async (api, expect) => {
      const body = { changeRequestsEnabled: true }
      expect((await api.putSettings('admin', body, { 'If-Match': '*' })).status).toBe(204)
      expect(errorOf(await api.putSettings('admin', body, { 'If-Match': '"1-1"' }))).toEqual([
        412,
        'PreconditionFailedError',
      ])
    }),

    must('CR-612', 'ignore If-None-Match on a change request', async (api, expect) => {
      const { id } = await api.draft()
      const tag = tagOf(await api.get(api.path(id)))
      const response = await api.get(api.path(id), 'author', { 'If-None-Match': tag })
      expect([response.status, response.body.id]).toEqual([200, id])
    }),
  ],
}
