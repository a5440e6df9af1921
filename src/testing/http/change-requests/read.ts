import { must, type RuleGroup } from '../rule'
import { granted, type Json, refusal } from '../world'

/** Texts that can name nothing, most of which a careless reader takes for the id. */
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
    must('CR-101', 'answer the change request as the last write did', async (world, expect) => {
      const written = await world.inReview({ changes: 2 })
      const { status, body } = await world.get(world.path(written.id))
      expect(status).toBe(200)
      expect(body).toEqual(written)
    }),

    must('CR-102', 'answer 404 for an id that is not there', async (world, expect) => {
      const answer = await world.get(world.path(Number.MAX_SAFE_INTEGER), 'admin')
      expect(refusal(answer)).toEqual([404, 'NotFoundError'])
    }),

    must('CR-103', 'answer 404 for an id of another project', async (world, expect) => {
      const { id } = await world.inReview()
      const answer = await world.get(`${world.otherProjectPath}/${id}`, 'admin')
      expect(refusal(answer)).toEqual([404, 'NotFoundError'])
    }),

    must('CR-104', 'answer 404 for what can be no id', async (world, expect) => {
      const { id } = await world.inReview()
      for (const text of malformedIds(id)) {
        const answer = await world.get(world.path(text), 'admin')
        expect([text, ...refusal(answer)]).toEqual([text, 404, 'NotFoundError'])
      }
    }),

    must('CR-105', 'let callers with READ_CHANGE_REQUEST read, and no more', async (world, expect) => {
      const { id } = await world.inReview()
      expect((await world.get(world.path(id), 'reader')).status).toBe(200)
      const answer = await world.propose(world.change(), 'reader')
      expect([...refusal(answer), answer.body.permissions]).toEqual([403, 'PermissionError', ['CREATE_CHANGE_REQUEST']])
    }),

    must('CR-106', 'refuse a caller without permission, and name what is missing', async (world, expect) => {
      const { id } = await world.inReview()
      for (const path of [world.path(id), world.path(), world.path('count'), world.path(Number.MAX_SAFE_INTEGER)]) {
        const { body, ...answer } = await world.get(path, 'nobody')
        expect([answer.status, body.name, body.permissions]).toEqual([403, 'PermissionError', ['READ_CHANGE_REQUEST']])
      }
    }),

    must('CR-107', 'take the fixed words of the interface for no ids', async (world, expect) => {
      for (const word of ['config', 'count', 'open', 'pending', 'actionable']) {
        expect([word, (await world.get(world.path(word))).status]).toEqual([word, 200])
      }
      expect((await world.get(world.path(`available-reviewers/${world.environment}`))).status).toBe(200)
    }),

    must('CR-108', 'call a change request without a title of its own by its number', async (world, expect) => {
      const { id, title } = await world.draft()
      const [listed] = granted(await world.get(world.path('pending'))).body
      expect([title, listed.title]).toEqual(Array(2).fill(`Change request #${id}`))
    }),

    must('CR-109', 'show when a change request entered its states', async (world, expect) => {
      const { createdAt, stateTimestamps } = await world.approved()
      expect(Object.keys(stateTimestamps).toSorted()).toEqual(['Approved', 'Draft', 'In review'])
      expect(stateTimestamps.Draft).toBe(createdAt)
      const times: Json[] = Object.values(stateTimestamps)
      expect(times.every((time) => new Date(time).toISOString() === time)).toBe(true)
    }),
  ],
}
