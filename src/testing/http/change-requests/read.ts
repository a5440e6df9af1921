import { errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

/** Malformed ids, most of which a lenient parser would read as the given id. */
const malformedIds = (id: number): string[] => {
  const fullWidth = String(id).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  const near = [
    `0${id}`,
    `+${id}`,
    `-${id}`,
    `${id}.0`,
    `${id}.5`,
    `${id}e0`,
    `0x${id.toString(16)}`,
    ` ${id}`,
    fullWidth,
  ]
  return ['0', ...near, String(2 ** 53), '9'.repeat(20)].map(encodeURIComponent)
}

export const reading: RuleGroup = {
  title: 'GET /projects/:projectId/change-requests/:id',
  rules: [
    must('CR-101', 'return the change request as the last write returned it', async (api, expect) => {
      const written = await api.inReview({ changes: 2 })
      const { status, body } = await api.get(api.path(written.id))
      expect(status).toBe(200)
      expect(body).toEqual(written)
    }),

    must('CR-102', 'return 404 for an unknown id', async (api, expect) => {
      const response = await api.get(api.path(Number.MAX_SAFE_INTEGER), 'admin')
      expect(errorOf(response)).toEqual([404, 'NotFoundError'])
    }),

    must('CR-103', 'return 404 for an id of another project', async (api, expect) => {
      const { id } = await api.inReview()
      const response = await api.get(`${api.otherProjectPath}/${id}`, 'admin')
      expect(errorOf(response)).toEqual([404, 'NotFoundError'])
    }),

    must('CR-104', 'return 404 for a malformed id', async (api, expect) => {
      const { id } = await api.inReview()
      for (const text of malformedIds(id)) {
        const response = await api.get(api.path(text), 'admin')
        expect([text, ...errorOf(response)]).toEqual([text, 404, 'NotFoundError'])
      }
    }),

    must('CR-105', 'let callers with READ_CHANGE_REQUEST read and do nothing else', async (api, expect) => {
      const { id } = await api.inReview()
      expect((await api.get(api.path(id), 'reader')).status).toBe(200)
      const response = await api.propose(api.change(), 'reader')
      expect([...errorOf(response), response.body.permissions]).toEqual([
        403,
        'PermissionError',
        ['CREATE_CHANGE_REQUEST'],
      ])
    }),

    must('CR-106', 'deny a caller without permission, and name the missing one', async (api, expect) => {
      const { id } = await api.inReview()
      for (const path of [api.path(id), api.path(), api.path('count'), api.path(Number.MAX_SAFE_INTEGER)]) {
        const { body, ...response } = await api.get(path, 'nobody')
        expect([response.status, body.name, body.permissions]).toEqual([
          403,
          'PermissionError',
          ['READ_CHANGE_REQUEST'],
        ])
      }
    }),

    must('CR-107', 'not mistake the fixed words of the API for ids', async (api, expect) => {
      for (const word of ['config', 'count', 'open', 'pending', 'actionable']) {
        expect([word, (await api.get(api.path(word))).status]).toEqual([word, 200])
      }
      expect((await api.get(api.path(`available-reviewers/${api.environment}`))).status).toBe(200)
    }),

    must('CR-108', 'use the number as the title of a change request without one', async (api, expect) => {
      const { id, title } = await api.draft()
      const [listed] = succeeded(await api.get(api.path('pending'))).body
      expect([title, listed.title]).toEqual(Array(2).fill(`Change request #${id}`))
    }),

    must('CR-109', 'show when a change request entered its states', async (api, expect) => {
      const { createdAt, stateTimestamps } = await api.approved()
      expect(Object.keys(stateTimestamps).toSorted()).toEqual(['Approved', 'Draft', 'In review'])
      expect(stateTimestamps.Draft).toBe(createdAt)
      const times: Json[] = Object.values(stateTimestamps)
      expect(times.every((time) => new Date(time).toISOString() === time)).toBe(true)
    }),
  ],
}
